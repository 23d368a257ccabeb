import { describe, expect, it } from 'vitest'
import { collect } from './collect.ts'

const added = (output_index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const delta = (output_index: number, text: string) => ({
  type: 'response.output_text.delta',
  output_index,
  delta: text,
})
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'complete' }
const call = { type: 'function_call', call_id: 'a', name: 'find', arguments: '{"x":1}' }
const search = {
  type: 'tool_search_call',
  call_id: 'b',
  execution: 'client',
  arguments: { query: 'mail' },
}

function collected(...events: unknown[]) {
  const collector = collect()
  const calls = events.flatMap((event) => collector.add(event))
  return { calls, output: collector.reply().output }
}

describe('collect', () => {
  it('returns each call once, as soon as it is complete', () => {
    const { calls, output } = collected(
      added(0, { ...call, arguments: '' }),
      done(0, call),
      done(1, search),
      { type: 'response.completed', response: { output: [call, search] } },
    )
    expect(calls).toMatchObject([
      { id: 'a', name: 'find', arguments: { x: 1 } },
      { id: 'b', name: 'tool_search', arguments: { query: 'mail' }, isSearch: true },
    ])
    expect(output).toEqual([call, search])
  })

  it('uses the items of the last event if there were no item events', () => {
    const { calls, output } = collected({
      type: 'response.completed',
      response: { output: [reasoning, call] },
    })
    expect(calls).toHaveLength(1)
    expect(output).toEqual([reasoning, call])
  })

  // In an added event, encrypted_content may be incomplete (note in the OpenAI SDK).
  it('prefers the items of done events to those of the last event', () => {
    const { output } = collected(done(0, reasoning), done(1, call), {
      type: 'response.completed',
      response: { status: 'completed', output: [] },
    })
    expect(output).toEqual([reasoning, call])
  })

  it('keeps complete items and partial text of an interrupted stream', () => {
    const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [] }
    const { calls, output } = collected(
      done(0, reasoning),
      added(1, message),
      delta(1, 'One '),
      delta(1, 'moment'),
      added(2, { ...call, arguments: '' }),
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"x"' },
    )
    expect(calls).toEqual([])
    expect(output).toEqual([
      reasoning,
      {
        ...message,
        status: 'incomplete',
        content: [{ type: 'output_text', text: 'One moment', annotations: [] }],
      },
    ])
  })

  it('ignores values that are not events', () => {
    expect(collected(null, 'x', {}, done(0, null as never)).output).toEqual([])
  })
})
