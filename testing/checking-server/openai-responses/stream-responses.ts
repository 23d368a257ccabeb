import { newId } from '../reply.ts'
import { eventText, splitText } from '../streaming.ts'
import type { EncodedResponse, OutputItem } from './encode-responses.ts'

interface Event {
  type: string
  [field: string]: unknown
}

/** The events of a streamed `Response`. */
export function streamResponses(response: EncodedResponse): string[] {
  const started = { ...response, status: 'in_progress', output: [], usage: null }
  const events: Event[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...response.output.flatMap(itemEvents),
    { type: 'response.completed', response },
  ]
  return events.map((event, sequence_number) =>
    eventText({ ...event, sequence_number }, event.type),
  )
}

function itemEvents(item: OutputItem, output_index: number): Event[] {
  const { started, events } = toDeltas(item)
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, ...started, status: 'in_progress' },
    },
    ...events.map((event) => ({ ...event, output_index, item_id: item.id })),
    { type: 'response.output_item.done', output_index, item },
  ]
}

// Searches, outputs and other items have no deltas: the item is empty when added and complete when done.
function toDeltas(item: OutputItem): { started: object; events: Event[] } {
  if (item.type === 'message') return messageDeltas(item)
  if (item.type === 'tool_search_call') return { started: startedSearch(item), events: [] }
  if (item.type === 'tool_search_output') return { started: { tools: [] }, events: [] }
  if (item.type === 'custom_tool_call') return customDeltas(item)
  if (item.type !== 'function_call') return { started: {}, events: [] }
  const text = item.arguments as string
  const { name } = item
  return {
    started: { arguments: '' },
    events: [
      ...splitText(text).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        delta,
      })),
      { type: 'response.function_call_arguments.done', arguments: text, name },
    ],
  }
}

function customDeltas({ input }: OutputItem): { started: object; events: Event[] } {
  const type = 'response.custom_tool_call_input'
  return {
    started: { input: '' },
    events: [
      ...splitText(input as string).map((delta) => ({ type: `${type}.delta`, delta })),
      { type: `${type}.done`, input },
    ],
  }
}

// The real service may use a different call_id in the added event. Only the done item's id counts.
function startedSearch({ call_id }: OutputItem): object {
  return { arguments: {}, call_id: call_id === null ? null : newId('call') }
}

function messageDeltas(item: OutputItem): { started: object; events: Event[] } {
  const [part] = item.content as [{ text: string }]
  const { text } = part
  const shared = { content_index: 0, logprobs: [] }
  return {
    started: { content: [] },
    events: [
      { type: 'response.content_part.added', content_index: 0, part: { ...part, text: '' } },
      ...splitText(text).map((delta) => ({
        type: 'response.output_text.delta',
        ...shared,
        delta,
      })),
      { type: 'response.output_text.done', ...shared, text },
      { type: 'response.content_part.done', content_index: 0, part },
    ],
  }
}
