import { newId } from '../reply.ts'
import { cutInPieces, eventText } from '../streaming.ts'
import type { EncodedResponse, OutputItem } from './encode-responses.ts'

interface Event {
  type: string
  [field: string]: unknown
}

/** A `Response` as the events that build it. */
export function streamResponses(response: EncodedResponse): string[] {
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  const events: Event[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...response.output.flatMap(itemEvents),
    { type: 'response.completed', response },
  ]
  return events.map((event, sequence_number) =>
    eventText({ ...event, sequence_number }, event.type),
  )
}

function itemEvents(item: OutputItem, output_index: number): Event[] {
  const { begun, events } = inDeltas(item)
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, ...begun, status: 'in_progress' },
    },
    ...events.map((event) => ({ ...event, output_index, item_id: item.id })),
    { type: 'response.output_item.done', output_index, item },
  ]
}

// searches and what they found have no deltas: the item is empty when added, whole when done
function inDeltas(item: OutputItem): { begun: object; events: Event[] } {
  if (item.type === 'message') return messageDeltas(item)
  if (item.type === 'tool_search_call') return { begun: begunSearch(item), events: [] }
  if (item.type === 'tool_search_output') return { begun: { tools: [] }, events: [] }
  const text = item.arguments as string
  const { name } = item
  return {
    begun: { arguments: '' },
    events: [
      ...cutInPieces(text).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        delta,
      })),
      { type: 'response.function_call_arguments.done', arguments: text, name },
    ],
  }
}

// the service has been seen to give another call_id at first: only the one of the done item counts
function begunSearch({ call_id }: OutputItem): object {
  return { arguments: {}, call_id: call_id === null ? null : newId('call') }
}

function messageDeltas(item: OutputItem): { begun: object; events: Event[] } {
  const [part] = item.content as [{ text: string }]
  const { text } = part
  const shared = { content_index: 0, logprobs: [] }
  return {
    begun: { content: [] },
    events: [
      { type: 'response.content_part.added', content_index: 0, part: { ...part, text: '' } },
      ...cutInPieces(text).map((delta) => ({
        type: 'response.output_text.delta',
        ...shared,
        delta,
      })),
      { type: 'response.output_text.done', ...shared, text },
      { type: 'response.content_part.done', content_index: 0, part },
    ],
  }
}
