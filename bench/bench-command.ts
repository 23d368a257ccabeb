import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InputError } from './input-error.ts'

/** The folder of the benchmarks. */
export const BENCH: string = fileURLToPath(new URL('.', import.meta.url))

/** The folder with the public data sets, unless `--data` names another. */
const DATA = resolve(BENCH, '../../shared/data')

const start = performance.now()

/** Runs a command. For invalid options or missing data, prints only the message and exits with 2. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    if (!isInputError(error)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}

function isInputError(error: unknown): error is Error {
  if (error instanceof InputError) return true
  return (
    error instanceof Error &&
    String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
  )
}

/** Resolves a path against the folder where the user ran npm: npm itself runs scripts in bench/. */
export function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path)
}

/** The folder that `--data` names, or the default. */
export function dataFolder(option: string | undefined): string {
  return option ? fromCaller(option) : DATA
}

export function progress(step: string): void {
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.error(`${seconds.padStart(4)} s  ${step}`)
}

/** Saves a report in `results/`, as JSON and as Markdown. */
export function writeResults(name: string, report: unknown, page: string): void {
  writeResult(`${name}.json`, JSON.stringify(report, null, 2))
  writeResult(`${name}.md`, page)
}

export function writeResult(file: string, text: string): void {
  const folder = resolve(BENCH, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(resolve(folder, file), `${text}\n`)
  progress(`wrote ${folder}/${file}`)
}
