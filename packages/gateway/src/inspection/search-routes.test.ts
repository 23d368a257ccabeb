import type { ToolExplanation } from 'toolsearch'
import { afterEach, describe, expect, it } from 'vitest'
import type { SearchReport } from './api.ts'
import { closeAll, open, tool } from './inspection.fixtures.ts'

afterEach(closeAll)

describe('GET /api/search', () => {
  it('returns exactly what an agent gets, no matter how often it is requested', async () => {
    const { ask, gateway } = await open()
    const asked = { name: 'tool_search', arguments: { query: 'send a letter', max_results: 2 } }
    for (let times = 0; times < 2; times++) {
      const { data } = await ask<SearchReport>('/api/search?query=send+a+letter&limit=2')
      expect(data).toMatchObject({ query: 'send a letter', ranker: 'unified', form: 'words' })
      expect(data.hits[0]).toMatchObject({ name: 'mail__send_mail', server: 'mail' })
      const weights = data.hits[0]!.parts.map(({ weight }) => weight)
      expect(weights).toEqual(weights.toSorted((a, b) => b - a))
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(data.hits[0]!.score!, 9)
      if (times === 0) {
        const result = await gateway.callTool(asked)
        expect(result.content![0]!.text).toBe(data.answer.text)
      }
      expect(data.answer.text).not.toContain('before')
      expect(data.notReady).toEqual([{ server: 'broken', detail: 'It ended with code 1.' }])
    }
  })

  it('does not affect later answers to agents', async () => {
    const { ask, gateway } = await open()
    await ask('/api/search?query=send+a+letter')
    const result = await gateway.callTool({
      name: 'tool_search',
      arguments: { query: 'send a letter' },
    })
    expect(result.content![0]!.text).not.toContain('before')
  })

  it('returns near misses with reasons', async () => {
    const { ask } = await open()
    const { data } = await ask<SearchReport>('/api/search?query=letters&limit=1')
    expect(data.hits).toHaveLength(1)
    expect(data.nearMisses[0]).toMatchObject({ rank: 2 })
    expect(data.nearMisses[0]!.verdict).toMatch(/^below-/)
  })

  it.each(['unified', 'hybrid', 'bm25', 'claude-code', 'nexo', 'everruns', 'dirge', 'cortex'])(
    'ranks with %s, including tools added later',
    async (ranker) => {
      const { ask, servers } = await open()
      const path = `/api/search?query=folders&limit=1&ranker=${ranker}`
      const { data } = await ask<SearchReport>(path)
      expect(data).toMatchObject({ ranker, hits: [{ name: 'mail__list_folders' }] })
      expect(data.answer.text).toContain('"effect":"read"')
      const folders = tool('folders', 'Folders, folders and folders')
      servers.change('mail', { tools: [folders] })
      servers.change('broken', undefined)
      const later = await ask<SearchReport>(path)
      expect(later.data.hits.map(({ name }) => name)).toEqual(['mail__folders'])
      expect(later.data.notReady).toEqual([])
    },
  )

  it('answers an empty query as agents get it', async () => {
    const { ask } = await open()
    const { status, data } = await ask<SearchReport>('/api/search?query=')
    expect(status).toBe(200)
    expect(data).toMatchObject({ form: 'blank', hits: [], nearMisses: [] })
    expect(data.answer.text).toContain('cannot be empty')
  })

  it.each([
    ['/api/search', 'The query is missing'],
    ['/api/search?query=a&limit=0', 'from 1 to 25'],
    ['/api/search?query=a&limit=many', 'from 1 to 25'],
    ['/api/search?query=a&limit=26', 'from 1 to 25'],
    ['/api/search?query=a&ranker=magic', 'Available rankers: unified, hybrid, bm25'],
    [`/api/search?query=${'a'.repeat(2_001)}`, 'The maximum is 2000'],
    ['/api/explain?query=a', 'The tool is missing'],
    ['/api/explain?tool=a', 'The query is missing'],
  ])('rejects %s', async (path, words) => {
    const { ask } = await open()
    const { status, data } = await ask<{ error: string }>(path)
    expect(status).toBe(400)
    expect(data.error).toContain(words)
  })
})

describe('GET /api/explain', () => {
  it('explains why a tool is returned or not', async () => {
    const { ask } = await open()
    const of = async (name: string) =>
      (await ask<ToolExplanation>(`/api/explain?query=send+letter&tool=${name}&limit=1`)).data
    expect(await of('mail__send_mail')).toMatchObject({ verdict: 'returned', rank: 1 })
    expect(await of('mail__list_folders')).toMatchObject({ verdict: 'no-match' })
    expect(await of('mail__send_male')).toMatchObject({ verdict: 'unknown' })
  })
})
