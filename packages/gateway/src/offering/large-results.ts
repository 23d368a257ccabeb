import type { Rights } from '../access/rights.ts'
import { isObject } from '../protocol/json-object.ts'
import { READ_RESULT } from './meta-tools/read-result.ts'
import { memoryTexts, type ResultTexts } from './result-texts.ts'

export interface CallResult {
  readonly content?: readonly Content[]
  readonly isError?: boolean
  readonly [field: string]: unknown
}

type Content = { readonly type: string; readonly [field: string]: unknown }

/** Truncates long results and stores their full texts for `read_result`. Evicts the oldest first. */
export interface LargeResults {
  /**
   * Truncates the texts if their total length exceeds the limit, and says how to get the rest.
   *
   * @param reader who may read the rest
   */
  truncate(result: CallResult, limit: number, reader: string): CallResult | Promise<CallResult>
  read(id: string, part: ResultPart): Promise<CallResult>
}

interface ResultPart {
  readonly offset: number
  readonly limit: number
  readonly reader: string
}

export interface LargeResultsOptions {
  /** @default in memory, up to 50,000,000 characters */
  texts?: ResultTexts
  newId?: () => string
}

/** Total characters of stored texts. */
export const RESULT_CHARS = 50_000_000

export function createLargeResults({
  texts = memoryTexts(RESULT_CHARS),
  newId = () => crypto.randomUUID(),
}: LargeResultsOptions = {}): LargeResults {
  return {
    truncate(result, limit, reader) {
      let remaining = limit
      const content: Content[] = []
      /** The first text that does not fit and all later ones. They are stored as one text. */
      const overflow: string[] = []
      let cutAt = 0
      for (const block of result.content ?? []) {
        const text = textOf(block)
        if (text === undefined) content.push(block)
        else if (overflow.length > 0) overflow.push(text)
        else if (text.length <= remaining) {
          remaining -= text.length
          content.push(block)
        } else {
          cutAt = content.push(block) - 1
          overflow.push(text)
        }
      }
      if (overflow.length === 0) return result
      const text = overflow.join('\n')
      const shown = withoutHalfCharacter(text.slice(0, remaining))
      const id = newId()
      const note = continuationNote(id, shown.length, text.length)
      content[cutAt] = withText(content[cutAt]!, `${shown}${note}`)
      const truncated = { ...result, content }
      return texts.put(id, { text, reader })?.then(() => truncated) ?? truncated
    },

    async read(id, { offset, limit, reader }) {
      const found = await texts.get(id)
      // A client must not read the results of another one, even if it learns the id.
      if (found === undefined || found.reader !== reader) {
        const message =
          `Result "${id}" is no longer stored. ` +
          'Call the tool again with arguments that return less.'
        return { content: [{ type: 'text', text: message }], isError: true }
      }
      const { text } = found
      const start = Math.max(0, Math.trunc(offset))
      const part = withoutHalfCharacter(text.slice(start, start + limit))
      const end = start + part.length
      const note = end < text.length ? continuationNote(id, end, text.length) : ''
      return { content: [{ type: 'text', text: part + note }] }
    },
  }
}

/** Results that can only be read on with the rights that they were created with: they may contain what was withdrawn. */
export function resultsWithRights(
  results: LargeResults,
  { key }: Pick<Rights, 'key'>,
): LargeResults {
  const withRights = (reader: string) => `${reader} ${key}`
  return {
    truncate: (result, limit, reader) => results.truncate(result, limit, withRights(reader)),
    read: (id, part) => results.read(id, { ...part, reader: withRights(part.reader) }),
  }
}

/** The text of a text block or an embedded resource. */
function textOf({ type, text, resource }: Content): string | undefined {
  const found = type === 'resource' && isObject(resource) ? resource.text : text
  const hasText = type === 'text' || type === 'resource'
  return hasText && typeof found === 'string' ? found : undefined
}

function withText(block: Content, text: string): Content {
  const { type, resource } = block
  if (type !== 'resource') return { ...block, text }
  return { ...block, resource: { ...(resource as object), text } }
}

/**
 * Replaces structured content that exceeds the limit with its JSON as text, which can be truncated.
 * Drops it if a text already repeats it.
 *
 * Only for calls through a call tool: a client that calls a listed tool may validate the structured
 * content against the output schema.
 */
export function longDataAsText(result: CallResult, limit: number): CallResult {
  const { structuredContent, ...rest } = result
  if (structuredContent === undefined) return result
  const json = JSON.stringify(structuredContent)
  if (json.length <= limit) return result
  const { content = [] } = rest
  // MCP asks servers to repeat structured content as text; some indent it, so lengths differ.
  const isRepeated = content.some(
    ({ text }) => typeof text === 'string' && text.length >= json.length,
  )
  return isRepeated ? rest : { ...rest, content: [...content, { type: 'text', text: json }] }
}

/** Drops a high surrogate at the end, so that no character is split. */
function withoutHalfCharacter(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

function continuationNote(id: string, offset: number, length: number): string {
  return (
    `\n\n[Truncated at ${offset} of ${length} characters. ` +
    `To read on, call ${READ_RESULT} with id "${id}" and offset ${offset}.]`
  )
}
