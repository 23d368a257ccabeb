import { describe, expect, it } from 'vitest'
import type { ActivityNews } from './activity.ts'
import { createActivity } from './create-activity.ts'

const ada = { id: 'a', name: 'Ada' }
const bob = { id: 'b', name: 'Bob' }
const done = { milliseconds: 2, size: 10, cost: { eager: 1_000, listed: 100 } }
const search = {
  ...done,
  query: 'send mail',
  hits: ['mail__send', 'mail__read'],
  cost: { ...done.cost, told: 60 },
  definitions: [
    { name: 'mail__send', tokens: 30 },
    { name: 'mail__read', tokens: 20 },
  ],
}

describe('createActivity', () => {
  it('remembers what a session searched for, was given and called', () => {
    const activity = createActivity({ transport: 'http', now: () => 0 })
    activity.searched(ada, search)
    activity.called(ada, { ...done, tool: 'mail__read', server: 'mail' })
    activity.called(ada, { ...done, tool: 'nothing', failure: 'There is no such tool.' })
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
        lastActive: '1970-01-01T00:00:00.000Z',
        isOpen: true,
        searches: 1,
        calls: 2,
        loaded: [
          expect.objectContaining({ name: 'mail__send', query: 'send mail', calls: 0 }),
          expect.objectContaining({ name: 'mail__read', query: 'send mail', calls: 1 }),
        ],
        ledger: { requests: 3, listing: 300, searches: 180, loaded: 150, saved: 2_520 },
        cacheBreaks: [],
      },
    ])
    expect([activity.timesFound('mail__send'), activity.timesFound('x')]).toEqual([1, 0])
    expect([activity.timesCalled('mail__read'), activity.timesCalled('nothing')]).toEqual([1, 0])
  })

  it('keeps a tool where it was first given', () => {
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

  it('puts the session that was active last first', () => {
    const activity = createActivity({ transport: 'http' })
    for (const client of [ada, bob, ada]) activity.searched(client, search)
    expect(activity.report().sessions.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('knows who is connected, and takes others for gone when they are quiet', () => {
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

  it('tells of a lost cache whoever is open and has asked something', () => {
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

  it('forgets the oldest events, and sessions that are closed before those that are not', () => {
    const activity = createActivity({ transport: 'http', maxEvents: 3, maxSessions: 2 })
    activity.connected(ada)
    activity.connected(bob)
    activity.disconnected('b')
    for (let at = 0; at < 5; at++) activity.called(ada, { ...done, tool: `tool_${at}` })
    activity.connected({ id: 'c', name: 'Cy' })
    expect(activity.report().sessions.map(({ id }) => id)).toEqual(['c', 'a'])
    activity.connected({ id: 'd', name: 'Di' })
    expect(activity.report().sessions.map(({ id }) => id)).toEqual(['d', 'c'])
    expect(activity.report().events.map(({ id }) => id)).toEqual([5, 4, 3])
  })

  it('keeps no more of a text than its beginning', () => {
    const activity = createActivity({ transport: 'http' })
    activity.searched(ada, { ...search, query: 'x'.repeat(5_000) })
    activity.called(ada, { ...done, tool: 'y'.repeat(5_000), failure: 'z'.repeat(5_000) })
    expect(JSON.stringify(activity.report()).length).toBeLessThan(5_000)
  })

  it('tells who wants to know, until they do not', () => {
    const activity = createActivity({ transport: 'http' })
    const news: ActivityNews[] = []
    const stop = activity.subscribe((one) => news.push(one))
    activity.searched(ada, search)
    expect(news).toMatchObject([
      { kind: 'activity', event: { kind: 'search', query: 'send mail' } },
      { kind: 'session', id: 'a' },
    ])
    stop()
    activity.searched(ada, search)
    expect(news).toHaveLength(2)
  })
})
