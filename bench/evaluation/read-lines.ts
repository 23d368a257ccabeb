import { createReadStream } from 'node:fs'
import { InputError } from './input-error.ts'

/** One object of a `.jsonl` file, and where it stands. */
export interface Line {
  readonly fields: Readonly<Record<string, unknown>>
  /** `file:line`, for messages. */
  readonly place: string
}

/** The objects of a file, one a line; blank lines are skipped. @throws InputError */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0
  for await (const text of splitLines(file)) {
    number++
    if (text.trim() !== '') yield parse(text, `${file}:${number}`)
  }
}

function parse(text: string, place: string): Line {
  let fields: unknown
  try {
    fields = JSON.parse(text)
  } catch (error) {
    throw new InputError(`${place}: is not JSON: ${(error as Error).message}`)
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new InputError(`${place}: must be a JSON object, one in each line`)
  }
  return { fields: fields as Line['fields'], place }
}

// node:readline also ends a line at U+2028, which JSON allows within a string
async function* splitLines(file: string): AsyncGenerator<string> {
  let rest = ''
  let isStart = true
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
      const lines = `${rest}${isStart ? chunk.replace(/^\uFEFF/, '') : chunk}`.split('\n')
      isStart = false
      rest = lines.pop()!
      yield* lines
    }
  } catch (error) {
    if (error instanceof InputError) throw error
    throw new InputError(`${file}: cannot be read: ${(error as Error).message}`)
  }
  yield rest
}
