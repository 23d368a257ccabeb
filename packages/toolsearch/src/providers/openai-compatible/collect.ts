import { isObject } from '../../is-object.ts'
import type { Collector, ProviderCall } from '../provider.ts'
import { collectCalls } from './collect-calls.ts'
import { type ChatReply, decode } from './decode.ts'

/** Whether a chunk contains the next piece of a text or the whole text so far. */
export type StreamedTexts = 'pieces' | 'so-far'

type Fields = Record<string, unknown>

/** Assembles the chunks of a streamed completion. */
export function collect(texts: StreamedTexts): Collector<ChatReply> {
  let reply: Fields = {}
  let finish: unknown = null
  let message: Fields = {}
  const calls = collectCalls()
  let returnedCalls = 0

  const collector: Collector<ChatReply> = {
    add(event) {
      if (!isObject(event)) return []
      const { choices, ...rest } = event
      reply = { ...reply, ...rest }
      const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
      if (!isObject(choice)) return []
      if (isObject(choice.delta)) addDelta(choice.delta)
      // Some servers send the complete message in the last chunk.
      else if (isObject(choice.message)) replaceMessage(choice.message)
      finish = choice.finish_reason ?? finish
      return newCalls()
    },
    reply() {
      const list = calls.list()
      const fields = { role: 'assistant', content: null, ...message }
      return {
        ...reply,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            finish_reason: finish,
            message: list.length > 0 ? { ...fields, tool_calls: list } : fields,
          },
        ],
      }
    },
  }
  return collector

  function addDelta({ tool_calls: deltas, ...fields }: Fields): void {
    for (const [field, value] of Object.entries(fields)) {
      message[field] = field === 'role' ? value : append(message[field], value, texts)
    }
    if (Array.isArray(deltas)) for (const delta of deltas) calls.add(delta)
  }

  function replaceMessage({ tool_calls: list, ...fields }: Fields): void {
    message = fields
    if (Array.isArray(list)) calls.replace(list)
  }

  /** The calls that were completed since the last chunk. */
  function newCalls(): ProviderCall[] {
    const count = finish === null ? calls.complete() : calls.list().length
    if (count <= returnedCalls) return []
    const completed = decode(collector.reply()).calls.slice(returnedCalls, count)
    returnedCalls = count
    return [...completed]
  }
}

/** Appends texts and list entries. Any other value replaces the one before. */
function append(before: unknown, value: unknown, texts: StreamedTexts): unknown {
  if (value === null || value === undefined) return before ?? value
  if (typeof before === 'string' && typeof value === 'string') {
    return texts === 'so-far' && value.startsWith(before) ? value : before + value
  }
  if (Array.isArray(before) && Array.isArray(value)) {
    return value.reduce((list, entry) => appendEntry(list, entry, texts), before)
  }
  return value
}

/** Merges an entry into the one it continues, as with streamed reasoning details. */
function appendEntry(list: readonly unknown[], entry: unknown, texts: StreamedTexts): unknown[] {
  const at = list.findLastIndex((existing) => isSameEntry(existing, entry))
  const before = list[at]
  if (!isObject(before) || !isObject(entry)) return [...list, entry]
  const merged: Fields = { ...before }
  for (const [field, value] of Object.entries(entry)) {
    const isText = ['text', 'summary', 'data'].includes(field)
    merged[field] = isText ? append(before[field], value, texts) : (value ?? before[field])
  }
  return list.with(at, merged)
}

function isSameEntry(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return false
  const haveSameId = (a.id ?? b.id) === (b.id ?? a.id)
  return a.type === b.type && a.index === b.index && haveSameId
}
