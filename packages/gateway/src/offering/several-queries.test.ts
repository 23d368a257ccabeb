import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createActivity } from '../inspection/activity/create-activity.ts'
import { recordCalls } from '../inspection/record-calls.ts'
import { createGateway } from './gateway.ts'
import type { CallResult } from './large-results.ts'
import { gatewayConfig, serverConfig, upstreamSet } from './upstream-set.fixtures.ts'

const tool = (name: string, description: string) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
})
const tools = [
  tool('send_mail', 'Sends an e-mail'),
  tool('read_mail', 'Reads an e-mail'),
  tool('list_mail', 'Lists every e-mail'),
  tool('create_event', 'Creates a calendar event'),
  tool('list_events', 'Lists calendar events'),
  tool('convert_money', 'Converts an amount of money to another currency'),
]

function start() {
  const gateway = createGateway(
    gatewayConfig([serverConfig('desk')], { callTools: 'one' }),
    upstreamSet({ desk: { tools } }),
  )
  const search = async (args: object) =>
    read(await gateway.callTool({ name: 'tool_search', arguments: args }))
  return { gateway, search }
}

function read({ content, isError }: CallResult) {
  const data = JSON.parse(String(content![0]!.text))
  return {
    ...data,
    isError,
    names: (data.loaded ?? []).map((entry: { name: string }) => entry.name),
  }
}

describe('tool_search with several queries', () => {
  it('shares the places between the queries, and says which of them found a tool', async () => {
    const { search } = start()
    const { loaded, message } = await search({
      queries: ['e-mail', 'calendar event', 'convert currency'],
      max_results: 4,
    })
    expect(loaded.map((entry: { queries: number[] }) => entry.queries)).toEqual([
      [1],
      [2],
      [3],
      [1],
    ])
    expect(loaded[2]).toMatchObject({ name: 'desk__convert_money', arguments: '{id?: string}' })
    expect(message).toBe('4 tools found. You can call them now.')
  })

  it('returns a tool once that several queries find', async () => {
    const { search } = start()
    const { loaded, names } = await search({ queries: ['send e-mail', 'select:desk__send_mail'] })
    expect(names.filter((name: string) => name === 'desk__send_mail')).toHaveLength(1)
    expect(loaded[0]).toMatchObject({ name: 'desk__send_mail', queries: [1, 2] })
  })

  it('says which queries found nothing', async () => {
    const { search } = start()
    const { names, message } = await search({ queries: ['convert currency', 'zzz qqq', 'xxyyzz'] })
    expect(names).toEqual(['desk__convert_money'])
    expect(message).toContain('Nothing found for queries 2 and 3.')
  })

  it('offers up to two candidates for a query without a sure match', async () => {
    const { search } = start()
    const doubtful = 'grow tomatoes with mail behind the garden shed of a neighbour'
    const { names, candidates, message } = await search({ queries: ['convert currency', doubtful] })
    expect(names).toEqual(['desk__convert_money'])
    expect(candidates.length).toBeLessThanOrEqual(2)
    expect(candidates[0]).toMatchObject({ queries: [2] })
    expect(message).toContain(`No sure match for query 2`)
    expect(message).toContain(`"select:${candidates[0].name}"`)
  })

  it('takes at most eight queries, a single text, and the same query once', async () => {
    const { search } = start()
    const ten = Array.from({ length: 10 }, (_, at) => `e-mail ${at}`)
    expect((await search({ queries: ten })).message).toContain(
      'The last 2 ignored: at most 8 queries in one search.',
    )
    const single = await search({ query: 'convert currency' })
    expect(await search({ queries: 'convert currency' })).toMatchObject({ loaded: single.loaded })
    expect(
      await search({ query: 'convert currency', queries: ['convert currency'] }),
    ).toMatchObject({
      loaded: single.loaded,
    })
  })

  it('rejects a call without any query', async () => {
    const { search } = start()
    for (const args of [{}, { queries: [] }, { queries: [1] }, { queries: [' '] }]) {
      expect(await search(args)).toMatchObject({ isError: true })
    }
  })

  it('is recorded as one search for each query, within one request', async () => {
    const { gateway } = start()
    const activity = createActivity({ transport: 'http' })
    const client = { id: 'session1', name: 'editor' }
    const queries = ['convert currency', 'calendar event']
    const recorder = recordCalls(gateway, activity)
    await recorder.gateway.callTool({ name: 'tool_search', arguments: { queries } }, { client })
    await setImmediate()
    const { events, sessions } = activity.report()
    expect(events).toMatchObject([
      {
        kind: 'search',
        query: 'calendar event',
        hits: ['desk__create_event', 'desk__list_events'],
      },
      { kind: 'search', query: 'convert currency', hits: ['desk__convert_money'] },
    ])
    expect(sessions[0]).toMatchObject({ searches: 2, ledger: { requests: 1 } })
    expect(sessions[0]!.loaded.map(({ name, query }) => [name, query])).toEqual([
      ['desk__convert_money', 'convert currency'],
      ['desk__create_event', 'calendar event'],
      ['desk__list_events', 'calendar event'],
    ])
  })
})
