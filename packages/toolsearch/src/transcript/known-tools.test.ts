import { describe, expect, it } from 'vitest'
import { anthropicModes } from '../providers/anthropic/anthropic-modes.ts'
import { read as readAnthropic } from '../providers/anthropic/read.ts'
import { openaiModes } from '../providers/openai/openai-modes.ts'
import { read as readOpenai } from '../providers/openai/read.ts'
import { writeExpectedNotice } from './expected-notice.ts'
import { knownTools, withExpected } from './known-tools.ts'
import type { Revealing } from './reveal.ts'

const notice = writeExpectedNotice([{ name: 'noticed' }, { name: 'referred' }], undefined)
const schema = JSON.stringify({ query: 'q', loaded: [{ name: 'written', inputSchema: {} }] })
const change = (tool: object) => ({ type: 'tool_addition', tool })
const reference = { type: 'tool_reference', name: 'changed' }
const definition = { type: 'tool_definition', definition: { name: 'defined' } }

const claude = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Go.' },
      { type: 'text', text: notice },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', content: [{ type: 'tool_reference', tool_name: 'referred' }] },
      { type: 'tool_result', content: schema },
    ],
  },
  {
    role: 'assistant',
    content: [
      {
        type: 'tool_search_tool_result',
        content: { tool_references: [{ type: 'tool_reference', tool_name: 'searched' }] },
      },
    ],
  },
  { role: 'system', content: [change(reference), change(definition)] },
]
const known = (messages: object[], mode: Revealing) => {
  const { revealed, described } = knownTools(messages.map(readAnthropic), mode)
  return { revealed: [...revealed], described: [...described] }
}

describe('knownTools', () => {
  it.each([
    ['append', [], []],
    ['bridge', ['written'], ['noticed', 'referred']],
    ['stub', ['written'], ['noticed', 'referred']],
    ['reference', ['referred'], ['noticed']],
    ['native', ['referred', 'searched'], ['noticed']],
    ['inline-addition', ['defined'], []],
  ] as const)('finds what the messages tell Claude in mode %s', (mode, revealed, described) => {
    expect(known(claude, anthropicModes[mode])).toEqual({ revealed, described })
  })

  it('forgets what a summary replaces, but not the tools that it keeps', () => {
    const tool_changes = [change(reference), change(definition)]
    const summary = { type: 'compaction', content: 'So far.', tool_changes }
    const messages = [...claude, { role: 'assistant', content: [summary] }]
    const kept = { revealed: ['changed', 'defined'], described: [] }
    expect(known(messages, anthropicModes.reference)).toEqual(kept)
    expect(known(messages, anthropicModes['inline-addition']).revealed).toEqual(['defined'])
    expect(known(messages, anthropicModes.bridge).revealed).toEqual(['defined'])
  })

  it.each([
    ['client', ['ours', 'added']],
    ['hosted', ['theirs', 'added']],
    ['bridge', ['written']],
  ] as const)('finds what the items tell a model of OpenAI in mode %s', (mode, revealed) => {
    const tools = (name: string) => [{ type: 'function', name }]
    const items = [
      { type: 'tool_search_output', call_id: '1', execution: 'client', tools: tools('ours') },
      { type: 'tool_search_output', execution: 'server', tools: tools('theirs') },
      { type: 'additional_tools', role: 'developer', tools: tools('added') },
      { type: 'function_call_output', call_id: '2', output: schema },
    ]
    const found = knownTools(items.map(readOpenai), openaiModes[mode])
    expect([...found.revealed]).toEqual(revealed)
  })
})

describe('withExpected', () => {
  const before = { revealed: new Set(['a']), described: new Set(['b']) }

  it.each([
    ['append', ['a'], ['b']],
    ['reference', ['a'], ['b', 'c']],
    ['inline-addition', ['a', 'c'], ['b']],
  ] as const)('adds what a request shows without a search in mode %s', (mode, ...sets) => {
    const { revealed, described } = withExpected(before, ['c'], anthropicModes[mode])
    expect([[...revealed], [...described]]).toEqual(sets)
  })
})
