import { createBoundedMap } from '../system/bounded-map.ts'
import { READ_RESULT } from './meta-tools.ts'

export interface CallResult {
  readonly content?: readonly Content[]
  readonly isError?: boolean
  readonly [field: string]: unknown
}

type Content = { readonly type: string; readonly [field: string]: unknown }

/** Results too long to be given at once. The oldest are forgotten. */
export interface LargeResults {
  /** Cuts texts where they are beyond the limit together, and says how to get the rest. */
  cut(result: CallResult, limit: number): CallResult
  read(id: string, offset: number, limit: number): CallResult
}

export interface LargeResultsOptions {
  /** Characters of all texts that are kept. @default 50_000_000 */
  capacity?: number
  newId?: () => string
}

export function createLargeResults({
  capacity = 50_000_000,
  newId = () => crypto.randomUUID(),
}: LargeResultsOptions = {}): LargeResults {
  const kept = createBoundedMap<string, string>(capacity, (text) => text.length)

  return {
    cut(result, limit) {
      let room = limit
      const content: Content[] = []
      /** From the first that does not fit to the last: together they are one text to be read on. */
      const rest: string[] = []
      let cutAt = 0
      for (const block of result.content ?? []) {
        const { type, text } = block
        if (type !== 'text' || typeof text !== 'string') content.push(block)
        else if (rest.length > 0) rest.push(text)
        else if (text.length <= room) {
          room -= text.length
          content.push(block)
        } else {
          cutAt = content.push(block) - 1
          rest.push(text)
        }
      }
      if (rest.length === 0) return result
      const text = rest.join('\n')
      const shown = wellFormed(text.slice(0, room))
      const note = noteOf(keep(text), shown.length, text.length)
      content[cutAt] = { ...content[cutAt]!, text: `${shown}${note}` }
      return { ...result, content }
    },

    read(id, offset, limit) {
      const text = kept.get(id)
      if (text === undefined) {
        const message = `There is no result "${id}" any more. Call the tool again, and ask it for less.`
        return { content: [{ type: 'text', text: message }], isError: true }
      }
      const start = Math.max(0, Math.trunc(offset))
      const part = wellFormed(text.slice(start, start + limit))
      const end = start + part.length
      const more = end < text.length ? noteOf(id, end, text.length) : ''
      return { content: [{ type: 'text', text: part + more }] }
    },
  }

  function keep(text: string): string {
    const id = newId()
    kept.set(id, text)
    return id
  }
}

/** A character of two units is not taken apart. */
function wellFormed(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

function noteOf(id: string, offset: number, length: number): string {
  return (
    `\n\n[Cut at ${offset} of ${length} characters. ` +
    `For more: ${READ_RESULT} with id "${id}" and offset ${offset}.]`
  )
}
