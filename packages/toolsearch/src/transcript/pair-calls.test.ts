import { describe, expect, it } from 'vitest'
import { call, entriesOf, result, text } from './entries.fixtures.ts'
import type { Entry, ResultPart } from './entry.ts'
import { matchResults } from './match-results.ts'
import { type PairLayout, pairCalls } from './pair-calls.ts'
import { withParts } from './with-parts.ts'

const layout = (results: PairLayout['results']): PairLayout => ({
  results,
  noResult: ({ id }) => ({ ...result(id, 'missing'), native: {} }) as ResultPart,
  message: (parts) => ({ parts: parts.map(({ native }) => native) }),
  withParts: (entry, parts) => withParts(entry, parts, 'parts'),
})

function pair(entries: readonly Entry[], results: PairLayout['results']) {
  const reports: string[] = []
  const paired = pairCalls(entries, matchResults(entries), layout(results), (kind, about, at) =>
    reports.push(`${kind} ${about} ${at}`),
  )
  const written = paired.map(({ role, parts }) => {
    const names = parts.map((part) => {
      if (part.type === 'result') return `${part.callId}${part.name === 'missing' ? '?' : ''}`
      return part.type === 'text' ? part.text : part.type
    })
    return `${role}: ${names.join(' ')}`
  })
  return { paired, written, reports }
}

const late = entriesOf(
  ['assistant', call('a', '1'), call('b', '2'), call('c', '3')],
  ['user', text('Wait.'), result('2')],
  ['user', result('9'), result('1'), text('There.')],
)

describe('pairCalls', () => {
  it('puts results into messages of their own', () => {
    const entries = entriesOf(
      ['assistant', call('a', '1'), call('b', '2'), call('c', '3')],
      ['user', text('Wait.')],
      ['tool', result('2')],
      ['tool', result('9')],
      ['tool', result('1')],
    )
    const { paired, written, reports } = pair(entries, 'separate')
    expect(written).toEqual([
      'assistant: call call call',
      'tool: 1',
      'tool: 2',
      'tool: 3?',
      'user: Wait.',
    ])
    expect(paired[1]).toBe(entries[4])
    expect(reports).toEqual([
      'result-dropped 9 3',
      'result-moved 1 4',
      'result-moved 2 2',
      'call-answered 3 0',
    ])
  })

  it('puts results into the next message, with nothing else', () => {
    const { written, reports } = pair(late, 'alone')
    expect(written).toEqual([
      'assistant: call call call',
      'user: 1 2 3?',
      'user: Wait.',
      'user: There.',
    ])
    expect(reports).toEqual([
      'result-dropped 9 2',
      'result-moved 1 2',
      'result-moved 2 1',
      'call-answered 3 0',
    ])
  })

  it('puts results at the start of the next message of the user', () => {
    const { written } = pair(late, 'merged')
    expect(written).toEqual(['assistant: call call call', 'user: 1 2 3? Wait.', 'user: There.'])
    const system = entriesOf(['assistant', call('a', '1')], ['system', text('Hm.')])
    expect(pair(system, 'merged').written).toEqual(['assistant: call', 'user: 1?', 'system: Hm.'])
  })

  it.each(['alone', 'merged'] as const)(
    'keeps entries that are fine, with layout %s',
    (results) => {
      const entries = entriesOf(
        ['user', text('Go.')],
        ['assistant', call('a', '1'), call('b', '2')],
        ['user', result('2'), result('1')],
        ['assistant', { ...call('search', '3'), search: 'provider' }],
        ['assistant', { ...result('3'), search: 'provider' }, text('Done.')],
      )
      const { paired, reports } = pair(entries, results)
      expect(reports).toEqual([])
      expect(paired.every((entry, at) => entry === entries[at])).toBe(true)
    },
  )
})
