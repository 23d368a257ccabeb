import { isObject } from '../../is-object.ts'
import type { Collector, ProviderCall } from '../provider.ts'
import { collectCalls } from './collect-calls.ts'
import { type ChatReply, decode } from './decode.ts'

/** Whether a streamed text comes piece by piece, or as all there is of it so far. */
export type StreamedTexts = 'pieces' | 'so-far'

type Fields = Record<string, unknown>

/** Adds up the chunks of a streamed completion. */
export function collect(texts: StreamedTexts): Collector<ChatReply> {
  let reply: Fields = {}
  let finish: unknown = null
  let message: Fields = {}
  const calls = collectCalls()
  let given = 0

  const collector: Collector<ChatReply> = {
    add(event) {
      if (!isObject(event)) return []
      const { choices, ...rest } = event
      reply = { ...reply, ...rest }
      const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
      if (!isObject(choice)) return []
      if (isObject(choice.delta)) addDelta(choice.delta)
      // the last chunk of some servers is the whole message
      else if (isObject(choice.message)) replaceBy(choice.message)
      finish = choice.finish_reason ?? finish
      return complete()
    },
    reply() {
      const list = calls.list()
      const whole = { role: 'assistant', content: null, ...message }
      return {
        ...reply,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            finish_reason: finish,
            message: list.length > 0 ? { ...whole, tool_calls: list } : whole,
          },
        ],
      }
    },
  }
  return collector

  function addDelta({ tool_calls: deltas, ...fields }: Fields): void {
    for (const [field, value] of Object.entries(fields)) {
      message[field] = field === 'role' ? value : joined(message[field], value, texts)
    }
    if (Array.isArray(deltas)) for (const delta of deltas) calls.add(delta)
  }

  function replaceBy({ tool_calls: whole, ...fields }: Fields): void {
    message = fields
    if (Array.isArray(whole)) calls.replace(whole)
  }

  function complete(): ProviderCall[] {
    const count = finish === null ? calls.complete() : calls.list().length
    if (count <= given) return []
    const fresh = decode(collector.reply()).calls.slice(given, count)
    given = count
    return [...fresh]
  }
}

/** Texts grow, lists grow entry by entry, and of all else the last counts. */
function joined(before: unknown, value: unknown, texts: StreamedTexts): unknown {
  if (value === null || value === undefined) return before ?? value
  if (typeof before === 'string' && typeof value === 'string') {
    return texts === 'so-far' && value.startsWith(before) ? value : before + value
  }
  if (Array.isArray(before) && Array.isArray(value)) {
    return value.reduce((list, entry) => withEntry(list, entry, texts), before)
  }
  return value
}

/** An entry that goes on with one of before grows it; a list of reasoning comes like this. */
function withEntry(list: readonly unknown[], entry: unknown, texts: StreamedTexts): unknown[] {
  const at = list.findLastIndex((one) => isSameEntry(one, entry))
  const before = list[at]
  if (!isObject(before) || !isObject(entry)) return [...list, entry]
  const grown: Fields = { ...before }
  for (const [field, value] of Object.entries(entry)) {
    const grows = ['text', 'summary', 'data'].includes(field)
    grown[field] = grows ? joined(before[field], value, texts) : (value ?? before[field])
  }
  return list.with(at, grown)
}

function isSameEntry(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return false
  const haveSameId = (one.id ?? other.id) === (other.id ?? one.id)
  return one.type === other.type && one.index === other.index && haveSameId
}
