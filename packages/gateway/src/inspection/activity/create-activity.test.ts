import { describe, expect, it } from 'vitest'
import type { ActivityUpdate } from './activity.ts'
import { createActivity } from './create-activity.ts'

const ada = { id: 'a', name: 'Ada' }
const bob = { id: 'b', name: 'Bob' }
const call = { milliseconds: 2, size: 10, cost: { eager: 1_000, listed: 100 } }
const search = {
  ...call,
  query: 'send mail',
  hits: ['mail__send', 'mail__read'],
  candidates: [],
  cost: { ...call.cost, answer: 60 },
  definitions: [
    { name: 'mail__send', tokens: 30 },
    { name: 'mail__read', tokens: 20 },
  ],
}

describe('createActivity', () => {
  it('records the searches, loaded tools and calls of a session', () => {
    let now = 0
    const activity = createActivity({ transport: 'http', now: () => now })
    activity.searched(ada, search)
    now += 1_000
    activity.called(ada, { ...call, tool: 'mail__read', server: 'mail' })
    now += 1_000
    activity.called(ada, { ...call, tool: 'nothing', failure: 'There is no such tool.' })
    const { sessions, events } = activity.report()
    expect(events.map(({ id, kind }) => [id, kind])).toEqual([
      [3, 'call'],
      [2, 'call'],
      [1, 'search'],
    ])
    expect(events[0]).toMatchObject({ tool: 'nothing', failure: 'There is no such tool.' })
    expect(sessions).toEqual([
      {
        id: 'a',
        client: 'Ada',
        transport: 'http',
        since: '1970-01-01T00:00:00.000Z',
        lastActive: '1970-01-01T00:00:02.000Z',
        isOpen: true,
        searches: 1,
        calls: 2,
        loaded: [
          expect.objectContaining({ name: 'mail__send', query: 'send mail', calls: 0 }),
          expect.objectContaining({ name: 'mail__read', query: 'send mail', calls: 1 }),
        ],
        ledger: { requests: 3, listing: 300, searches: 180, loaded: 150, saved: 2_520, extra: 0 },
        cacheBreaks: [],
      },
    ])
    expect([activity.timesFound('mail__send'), activity.timesFound('x')]).toEqual([1, 0])
    expect([activity.timesCalled('mail__read'), activity.timesCalled('nothing')]).toEqual([1, 0])
  })

  it('keeps the position and query of a tool that was loaded before', () => {
    const activity = createActivity({ transport: 'http' })
    activity.searched(ada, search)
    activity.searched(ada, {
      ...search,
      query: 'read',
      definitions: search.definitions.toReversed(),
    })
    const [session] = activity.report().sessions
    expect(session!.loaded.map(({ name, query }) => [name, query])).toEqual([
      ['mail__send', 'send mail'],
      ['mail__read', 'send mail'],
    ])
  })

  it('counts calls that overlap as one request of the model', () => {
    let now = 100
    const activity = createActivity({ transport: 'http', now: () => now })
    const requests = () => activity.report().sessions[0]!.ledger.requests
    activity.searched(ada, { ...search, milliseconds: 50 })
    now = 120
    activity.searched(ada, { ...search, milliseconds: 70 })
    // Calls that wait for each other in the gateway don't overlap.
    now = 180
    activity.searched(ada, { ...search, milliseconds: 50 })
    expect(requests()).toBe(1)
    now = 500
    activity.searched(ada, { ...search, milliseconds: 70 })
    expect(requests()).toBe(2)
  })

  it('lists the most recently active session first', () => {
    const activity = createActivity({ transport: 'http' })
    for (const client of [ada, bob, ada]) activity.searched(client, search)
    expect(activity.report().sessions.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('closes sessions on disconnect, or when they are idle if there is no connection', () => {
    let now = 0
    const activity = createActivity({ transport: 'http', now: () => now })
    const open = () =>
      Object.fromEntries(activity.report().sessions.map(({ id, isOpen }) => [id, isOpen]))
    activity.connected(ada)
    activity.searched(bob, search)
    expect(open()).toEqual({ a: true, b: true })
    now = 600_000
    expect(open()).toEqual({ a: true, b: false })
    activity.disconnected('a')
    activity.disconnected('nobody')
    expect(open()).toEqual({ a: false, b: false })
  })

  it('records a cache break for open sessions that made a request', () => {
    const activity = createActivity({ transport: 'http', now: () => 0 })
    const broken = () => activity.report().sessions.map(({ id, cacheBreaks }) => [id, cacheBreaks])
    activity.searched(bob, search)
    activity.connected(bob)
    activity.disconnected('b')
    activity.connected({ id: 'c', name: 'Cy' })
    activity.searched(ada, search)
    activity.listChanged('2 tools are new')
    const at = '1970-01-01T00:00:00.000Z'
    expect(broken()).toEqual([
      ['a', [{ at, reason: '2 tools are new' }]],
      ['c', []],
      ['b', []],
    ])
    activity.listChanged('found tools joined the list', 'a')
    expect(broken()[0]![1]).toHaveLength(2)
  })

  it('drops the oldest events, and closed sessions before open ones', () => {
    const activity = createActivity({ transport: 'http', maxEvents: 3, maxSessions: 2 })
    activity.connected(ada)
    activity.connected(bob)
    activity.disconnected('b')
    for (let at = 0; at < 5; at++) activity.called(ada, { ...call, tool: `tool_${at}` })
    activity.connected({ id: 'c', name: 'Cy' })
    expect(activity.report().sessions.map(({ id }) => id)).toEqual(['c', 'a'])
    activity.connected({ id: 'd', name: 'Di' })
    expect(activity.report().sessions.map(({ id }) => id)).toEqual(['d', 'c'])
    expect(activity.report().events.map(({ id }) => id)).toEqual([5, 4, 3])
  })

  it('stores only the beginning of long texts', () => {
    const activity = createActivity({ transport: 'http' })
    activity.searched(ada, { ...search, query: 'x'.repeat(5_000) })
    activity.called(ada, { ...call, tool: 'y'.repeat(5_000), failure: 'z'.repeat(5_000) })
    expect(JSON.stringify(activity.report()).length).toBeLessThan(5_000)
  })

  it('notifies listeners until they unsubscribe', () => {
    const activity = createActivity({ transport: 'http' })
    const updates: ActivityUpdate[] = []
    const stop = activity.subscribe((update) => updates.push(update))
    activity.searched(ada, search)
    expect(updates).toMatchObject([
      { kind: 'activity', event: { kind: 'search', query: 'send mail' } },
      { kind: 'session', id: 'a' },
    ])
    stop()
    activity.searched(ada, search)
    expect(updates).toHaveLength(2)
  })
})
