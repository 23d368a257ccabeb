import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { Collector, ProviderCall } from '../provider.ts'
import { type AnthropicReply, callOf } from './decode.ts'

/** Assembles the events of a streamed message. */
export function collect(): Collector<AnthropicReply> {
  let message: Record<string, unknown> = { role: 'assistant' }
  const content: Record<string, unknown>[] = []
  const inputs = new Map<number, string>()
  const complete = new Set<unknown>()
  return {
    add(event) {
      if (!isObject(event)) return []
      const index = typeof event.index === 'number' ? event.index : -1
      if (event.type === 'message_start' && isObject(event.message)) message = { ...event.message }
      else if (event.type === 'message_delta' && isObject(event.delta)) {
        message = { ...message, ...event.delta }
      } else if (event.type === 'content_block_start' && isObject(event.content_block)) {
        content[index] = { ...event.content_block }
      } else if (event.type === 'content_block_delta' && isObject(event.delta)) {
        addDelta(index, event.delta)
      } else if (event.type === 'content_block_stop') return finish(index)
      return []
    },
    // If the stream was interrupted, only text is usable: the service rejects partial calls and
    // thinking.
    reply: () => ({
      ...message,
      content: content.filter((block) => complete.has(block) || block.type === 'text'),
    }),
  }

  function addDelta(index: number, delta: Record<string, unknown>): void {
    const block = content[index]
    if (block === undefined) return
    if (delta.type === 'input_json_delta') {
      inputs.set(index, (inputs.get(index) ?? '') + String(delta.partial_json ?? ''))
    } else if (delta.type === 'citations_delta') {
      block.citations = [...((block.citations as unknown[] | null) ?? []), delta.citation]
    } else if (delta.type === 'compaction_delta') {
      const { type: _, ...fields } = delta
      Object.assign(block, fields)
    } else {
      // Deltas of text, thinking and signatures use the same field name as the block.
      for (const key of ['text', 'thinking', 'signature']) {
        if (typeof delta[key] === 'string') block[key] = String(block[key] ?? '') + delta[key]
      }
    }
  }

  function finish(index: number): ProviderCall[] {
    const block = content[index]
    const json = inputs.get(index)
    if (block === undefined) return []
    if (json) block.input = parseJson(json)
    if (json && block.input === undefined) return []
    complete.add(block)
    const call = callOf(block as Block)
    return call ? [call] : []
  }
}

/** Undefined if the JSON is incomplete, as in an interrupted reply. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
