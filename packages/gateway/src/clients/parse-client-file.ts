import { stripComments } from 'jsonc-parser'
import { parse as parseToml, TomlError } from 'smol-toml'
import { parseDocument as parseYaml } from 'yaml'
import type { ConfigProblem } from '../config/config-problem.ts'
import { nodeValue, parseDocument } from '../config/parse-document.ts'

export type FileFormat = 'json' | 'toml' | 'yaml'

export function formatOf(file: string): FileFormat {
  if (file.endsWith('.toml')) return 'toml'
  return /\.ya?ml$/.test(file) ? 'yaml' : 'json'
}

// Claude Code's file contains much more than servers
const MAX_CHARS = 50_000_000

/** Reads a client's file: JSON with comments, TOML or YAML, depending on its name. Never throws. */
export function parseClientFile(
  text: string,
  file: string,
): { readonly content: unknown } | { readonly problems: readonly ConfigProblem[] } {
  const format = formatOf(file)
  if (format === 'json') {
    // some clients create an empty file before there is anything to store
    if (stripComments(text).trim() === '') return { content: {} }
    const document = parseDocument(text, { file, maxChars: MAX_CHARS })
    return 'problems' in document ? document : { content: nodeValue(document.root) }
  }
  try {
    // plain objects instead of ones without a prototype, which compare as different
    if (format === 'toml') return { content: structuredClone(parseToml(text)) }
    const document = parseYaml(text)
    const [error] = document.errors
    if (!error) return { content: document.toJS() ?? {} }
    const { line = 1, col = 1 } = error.linePos?.[0] ?? {}
    return invalid('YAML', { line, column: col })
  } catch (error) {
    const { line = 1, column = 1 } = error instanceof TomlError ? error : {}
    return invalid(format.toUpperCase(), { line, column })
  }

  function invalid(language: string, position: { line: number; column: number }) {
    const message = `This is not valid ${language}.`
    return { problems: [{ file, ...position, message, fix: 'Correct the file and import again.' }] }
  }
}
