import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { Collector, ProviderCall } from '../provider.ts'
import { callOf, type OpenaiReply } from './decode.ts'

/** Assembles the events of a streamed response. */
export function collect(): Collector<OpenaiReply> {
  let response: Block = {}
  const finished = new Map<number, Block>()
  /** Messages that have started, with the text received so far. */
  const started = new Map<number, { item: Block; text: string }>()
  return {
    add(event) {
      if (!isObject(event)) return []
      if (isObject(event.response)) return addResponse(event.response)
      const index = typeof event.output_index === 'number' ? event.output_index : -1
      if (event.type === 'response.output_item.done') return finish(index, event.item)
      if (event.type === 'response.output_item.added' && isObject(event.item)) {
        if (event.item.type === 'message') started.set(index, { item: event.item, text: '' })
      } else if (event.type === 'response.output_text.delta') {
        const message = started.get(index)
        if (message) message.text += String(event.delta ?? '')
      }
      return []
    },
    reply() {
      const indexes = [...new Set([...finished.keys(), ...started.keys()])].sort((a, b) => a - b)
      return { ...response, output: indexes.flatMap(itemAt) }
    },
  }

  /** The last event has the complete response, including items that had no separate event. */
  function addResponse(complete: Block): ProviderCall[] {
    response = complete
    const { output } = complete
    if (!Array.isArray(output)) return []
    return output.flatMap((item, index) => (finished.has(index) ? [] : finish(index, item)))
  }

  function finish(index: number, item: unknown): ProviderCall[] {
    if (!isObject(item)) return []
    finished.set(index, item)
    const call = callOf(item)
    return call ? [call] : []
  }

  /** Only the text of an interrupted item is usable: the service rejects partial calls and reasoning. */
  function itemAt(index: number): Block[] {
    const item = finished.get(index)
    if (item) return [item]
    const { item: message, text } = started.get(index)!
    if (text === '') return []
    const content = [{ type: 'output_text', text, annotations: [] }]
    return [{ ...message, status: 'incomplete', content }]
  }
}
