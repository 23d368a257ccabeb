import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the benchmarks. */
export const BENCH: string = fileURLToPath(new URL('.', import.meta.url))

const EXPECTED = ['missing_data', 'peers_not_installed', 'ERR_PARSE_ARGS']
const start = performance.now()

/** Runs a benchmark. Of a failure that a person can mend, only the message is shown. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    const code = String((error as { code?: unknown }).code)
    if (!EXPECTED.some((expected) => code.startsWith(expected))) throw error
    console.error((error as Error).message)
    process.exitCode = 2
  }
}

/** Where `--data` points, or the folder beside the repository. */
export function dataFolder(given: string | undefined): string {
  // npm runs this in bench/, but a path is meant from where npm was called
  const from = process.env.INIT_CWD ?? process.cwd()
  return given ? resolve(from, given) : resolve(BENCH, '../../shared/data')
}

export function progress(step: string): void {
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.error(`${seconds.padStart(4)} s  ${step}`)
}

/** Keeps a report in `results/`, as data and as a page. */
export function writeResults(name: string, report: unknown, page: string): void {
  const folder = resolve(BENCH, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(resolve(folder, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(resolve(folder, `${name}.md`), `${page}\n`)
  progress(`wrote ${folder}/${name}.json and ${name}.md`)
}
