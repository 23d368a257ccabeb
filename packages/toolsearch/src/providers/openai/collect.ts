import { isObject } from '../../is-object.ts'
import type { Collector, ProviderCall } from '../provider.ts'
import { callOf, type OpenaiReply } from './decode.ts'
import type { Item } from './items.ts'

/** Adds up the events of a streamed response. */
export function collect(): Collector<OpenaiReply> {
  let response: Item = {}
  const finished = new Map<number, Item>()
  /** Messages that have begun, with their text so far. */
  const begun = new Map<number, { item: Item; text: string }>()
  return {
    add(event) {
      if (!isObject(event)) return []
      if (isObject(event.response)) return addResponse(event.response)
      const index = typeof event.output_index === 'number' ? event.output_index : -1
      if (event.type === 'response.output_item.done') return finish(index, event.item)
      if (event.type === 'response.output_item.added' && isObject(event.item)) {
        if (event.item.type === 'message') begun.set(index, { item: event.item, text: '' })
      } else if (event.type === 'response.output_text.delta') {
        const message = begun.get(index)
        if (message) message.text += String(event.delta ?? '')
      }
      return []
    },
    reply() {
      const places = [...new Set([...finished.keys(), ...begun.keys()])].sort((a, b) => a - b)
      return { ...response, output: places.flatMap(itemAt) }
    },
  }

  /** The last event has the whole response, which tells of items that no event did. */
  function addResponse(given: Item): ProviderCall[] {
    response = given
    const { output } = given
    if (!Array.isArray(output)) return []
    return output.flatMap((item, index) => (finished.has(index) ? [] : finish(index, item)))
  }

  function finish(index: number, item: unknown): ProviderCall[] {
    if (!isObject(item)) return []
    finished.set(index, item)
    const call = callOf(item)
    return call ? [call] : []
  }

  /** Of what was cut off only text can be used: half a call or half a thought cannot go back. */
  function itemAt(index: number): Item[] {
    const whole = finished.get(index)
    if (whole) return [whole]
    const { item, text } = begun.get(index)!
    if (text === '') return []
    const content = [{ type: 'output_text', text, annotations: [] }]
    return [{ ...item, status: 'incomplete', content }]
  }
}
