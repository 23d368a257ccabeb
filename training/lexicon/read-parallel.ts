import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** A text and its English translation. */
export interface Parallel {
  readonly language: string
  readonly text: string
  readonly english: string
}

/** Lines of `parallel/*.tsv.gz`: language, text and English, separated by tabs. */
export function readParallel(data: string): Parallel[] {
  const folder = join(data, 'parallel')
  const files = readdirSync(folder).filter((name) => name.endsWith('.tsv.gz'))
  return files.sort().flatMap((name) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        const [language, text, english] = line.split('\t')
        if (!language || !text || !english) return []
        return [{ language: languageCode(language), text, english }]
      }),
  )
}

/** English requests and descriptions of `pairs/*.jsonl.gz`, without those of development sets. */
export function readEnglish(data: string): string[] {
  const folder = join(data, 'pairs')
  const files = readdirSync(folder).filter((name) => /^(?!dev-|toucan).*\.jsonl\.gz$/.test(name))
  return files.sort().flatMap((name) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { query, tool } = JSON.parse(line)
        return `${query} ${tool.description}`
      }),
  )
}

/** `pt_BR` and `pt-br` are `pt`; `zh-hant` is `zh`. */
export function languageCode(code: string): string {
  const base = code.toLowerCase().split(/[-_]/)[0]!
  return base === 'no' || base === 'nn' ? 'nb' : base
}
