import { describe, expect, it } from 'vitest'
import { collect } from './collect.ts'
import { decode } from './decode.ts'

const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, fields: object) => ({
  type: 'content_block_delta',
  index,
  delta: fields,
})
const stop = (index: number) => ({ type: 'content_block_stop', index })
const json = (index: number, partial_json: string) =>
  delta(index, { type: 'input_json_delta', partial_json })
const use = { type: 'tool_use', id: 'toolu_1', name: 'write_file', input: {} }
const thinking = { type: 'thinking', thinking: '', signature: '' }

function collected(events: readonly object[]) {
  const collector = collect()
  const calls = events.flatMap((event) => collector.add(event))
  return { calls, reply: collector.reply() }
}

describe('collect', () => {
  it('keeps the text of an interrupted stream and drops partial thinking', () => {
    const thought = delta(0, { type: 'thinking_delta', thinking: 'Hm' })
    expect(collected([start(0, thinking), thought]).reply.content).toEqual([])
    const text = [
      start(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'Well, I' }),
    ]
    expect(collected(text).reply.content).toEqual([{ type: 'text', text: 'Well, I' }])
  })

  it.each([
    ['before its end', [start(0, use), json(0, '{"path":"a"')]],
    ['before its arguments', [start(0, use)]],
    ['although its block was closed', [start(0, use), json(0, '{"path":"a"'), stop(0)]],
  ])('drops a call that was interrupted %s', (_, events) => {
    const { calls, reply } = collected(events)
    expect(calls).toEqual([])
    expect(decode(reply)).toMatchObject({ messages: [], calls: [] })
  })

  it('returns a call without arguments', () => {
    expect(collected([start(0, use), json(0, ''), stop(0)]).calls).toMatchObject([
      { id: 'toolu_1', name: 'write_file', arguments: {} },
    ])
  })

  it('keeps the content of a compaction block', () => {
    const events = [
      start(0, { type: 'compaction', content: null }),
      delta(0, { type: 'compaction_delta', content: 'In short.', encrypted_content: 'x' }),
      stop(0),
    ]
    expect(collected(events).reply.content).toEqual([
      { type: 'compaction', content: 'In short.', encrypted_content: 'x' },
    ])
  })
})

describe('decode', () => {
  it.each(['max_tokens', 'model_context_window_exceeded', 'refusal'])(
    'drops the last call of a truncated reply: %s',
    (stop_reason) => {
      const content = [{ type: 'text', text: 'I write.' }, use]
      expect(decode({ content, stop_reason })).toMatchObject({
        messages: [{ role: 'assistant', content: [content[0]] }],
        calls: [],
      })
      expect(decode({ content, stop_reason: 'tool_use' }).calls).toHaveLength(1)
    },
  )
})
