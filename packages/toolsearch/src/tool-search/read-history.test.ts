import { describe, expect, it } from 'vitest'
import type { HistoryReader } from './history-reader.ts'
import { readHistory } from './read-history.ts'

/** A reader of invented messages. */
const reader: HistoryReader = {
  revealed: ({ reveals }) => (typeof reveals === 'string' ? [reveals] : []),
  removed: ({ removes }) => (typeof removes === 'string' ? [removes] : undefined),
  call: ({ calls, id, with: input }) =>
    calls === undefined ? undefined : { ids: [id], name: calls, arguments: input },
  result: ({ answers, body }) =>
    answers === undefined ? undefined : { callId: answers, content: body },
  listed: ({ group }) => (Array.isArray(group) ? group : undefined),
  opaqueKeys: ['with', 'body'],
}
const read = (...messages: unknown[]) =>
  readHistory(messages, { searchToolName: 'find', readers: [reader] })

describe('readHistory', () => {
  it('returns revealed and called tools, in order', () => {
    expect(read({ calls: 'b' }, { parts: [{ reveals: 'a' }, { calls: 'b' }] })).toEqual(['b', 'a'])
  })

  it('forgets a tool that a later message removes', () => {
    expect(read({ reveals: 'a' }, { reveals: 'b' }, { removes: 'a' })).toEqual(['b'])
  })

  it('reads only results of the search tool', () => {
    const body = JSON.stringify({ loaded: [{ name: 'a' }, 'b', { group: ['c', 'd'] }] })
    expect(read({ calls: 'find', id: 1 }, { answers: 1, body })).toEqual(['a', 'b', 'c', 'd'])
    expect(read({ calls: 'other', id: 1 }, { answers: 1, body })).toEqual(['other'])
  })

  it('reads the blocks in a result rather than its text', () => {
    const body = [{ text: '{"loaded":["a"]}' }, { reveals: 'b' }]
    expect(read({ calls: 'find', id: 1 }, { answers: 1, body })).toEqual(['b'])
  })

  it('does not look for blocks under opaque keys', () => {
    expect(read({ calls: 'a', with: { calls: 'b' } }, { body: { reveals: 'c' } })).toEqual(['a'])
  })

  it('reads nothing without readers', () => {
    expect(readHistory([{ calls: 'a' }], { searchToolName: 'find', readers: [] })).toEqual([])
  })
})
