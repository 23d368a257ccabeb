import { cutInPieces, eventText } from '../streaming.ts'
import type { EncodedMessage } from './encode-anthropic.ts'
import type { Block } from './messages-body.ts'

interface Event {
  type: string
  [field: string]: unknown
}

/** A `Message` as the events that build it. */
export function streamAnthropic(message: EncodedMessage): string[] {
  const { content, stop_reason, usage } = message
  const begun = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  }
  const events: Event[] = [
    { type: 'message_start', message: begun },
    { type: 'ping' },
    ...content.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null, stop_details: null, container: null },
      usage,
    },
    { type: 'message_stop' },
  ]
  return events.map((event) => eventText(event, event.type))
}

function blockEvents(block: Block, index: number): Event[] {
  const [begun, deltas] = inDeltas(block)
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

// the result of a search comes whole when its block starts
function inDeltas(block: Block): [Block, Event[]] {
  if (block.type === 'text') {
    const pieces = cutInPieces(block.text ?? '')
    return [{ ...block, text: '' }, pieces.map((text) => ({ type: 'text_delta', text }))]
  }
  if (block.type === 'tool_use' || block.type === 'server_tool_use') {
    const pieces = cutInPieces(JSON.stringify(block.input))
    const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    return [{ ...block, input: {} }, deltas]
  }
  return [block, []]
}
