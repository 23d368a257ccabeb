import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../catalogue/read-definition.ts'
import { context, noHits } from '../../tool-search/result-format.fixtures.ts'
import type { HitStatus, SearchHit } from '../../tool-search/search-outcome.ts'
import { referenceFormat } from './reference-format.ts'

function hit(name: string, status: HitStatus = 'loaded'): SearchHit {
  return { tool: readDefinition({ name }), status, score: 1 }
}

describe('referenceFormat', () => {
  it('returns a reference to every hit', () => {
    const hits = [hit('git_log'), hit('git_diff', 'already-loaded')]
    const answer = referenceFormat({ ...noHits, hits }, context)
    expect(answer).toEqual({
      isError: false,
      data: [
        { type: 'tool_reference', tool_name: 'git_log' },
        { type: 'tool_reference', tool_name: 'git_diff' },
      ],
      text: expect.any(String),
    })
    expect(JSON.parse(answer.text)).toEqual(answer.data)
  })

  it('adds a text about tools that the query asked for but did not get', () => {
    const hits = [hit('git_log')]
    const omitted = { count: 1, names: ['git_diff'] }
    const missing = [{ name: 'git_lgo', closest: [] }]
    for (const more of [{ omitted }, { missing }]) {
      const { data } = referenceFormat({ ...noHits, ...more, hits }, context)
      const name = 'omitted' in more ? 'git_diff' : 'git_lgo'
      expect(data).toEqual([
        { type: 'text', text: expect.stringContaining(name) },
        { type: 'tool_reference', tool_name: 'git_log' },
      ])
    }
  })

  it('returns a message, close names and unavailable servers when there are no hits', () => {
    const answer = referenceFormat(
      { ...noHits, closest: ['git_log'], notReady: [{ source: 'mcp:hub', state: 'connecting' }] },
      { ...context, visible: () => [readDefinition({ name: 'git_log' })] },
    )
    expect(answer.data).toMatchObject({
      close: ['git_log'],
      not_ready: [{ server: 'hub', state: 'connecting' }],
      message: expect.stringContaining('No matching tools'),
    })
  })

  it('returns an error when the search was rejected', () => {
    const problem = { code: 'rate_limited', message: 'Too many.' } as const
    const answer = referenceFormat({ ...noHits, problem }, context)
    expect(answer).toMatchObject({ isError: true, data: { error: 'Too many.' } })
  })
})
