import { readFileSync } from 'node:fs'
import { InputError } from '../input-error.ts'

/** One object of a `.jsonl` file. */
export interface Line {
  readonly fields: Readonly<Record<string, unknown>>
  /** `file:line`, for messages. */
  readonly place: string
}

/** Reads the objects of a file, one per line, and skips blank lines. @throws InputError */
export function readLines(file: string): Line[] {
  return readText(file)
    .split('\n')
    .map((text, at) => ({ text, place: `${file}:${at + 1}` }))
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, place }) => ({ fields: parse(text, place), place }))
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw new InputError(`${file}: cannot be read: ${(error as Error).message}`)
  }
}

function parse(text: string, place: string): Line['fields'] {
  let fields: unknown
  try {
    fields = JSON.parse(text)
  } catch (error) {
    throw new InputError(`${place}: not valid JSON: ${(error as Error).message}`)
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new InputError(`${place}: expected one JSON object per line`)
  }
  return fields as Line['fields']
}
