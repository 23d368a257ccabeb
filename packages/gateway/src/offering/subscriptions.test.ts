import { describe, expect, it } from 'vitest'
import { createSubscriptions } from './subscriptions.ts'
import { type FakeServer, upstreamSet } from './upstream-set.fixtures.ts'

const uri = 'notes://1'
const [ada, bob] = [{}, {}]
const notes: FakeServer = { tools: [] }

function start() {
  const servers = upstreamSet({ notes })
  const upstream = servers.upstreams.get('notes')!
  const sent = () => servers.calls.splice(0).map(({ params }) => params)
  return { servers, upstream, sent, subscriptions: createSubscriptions(servers) }
}

describe('subscriptions', () => {
  it('reach the server only for the first and the last client', async () => {
    const { subscriptions, upstream, sent } = start()
    await subscriptions.add(ada, upstream, uri)
    await subscriptions.add(bob, upstream, uri)
    expect(sent()).toEqual([{ watch: uri }])
    await subscriptions.remove(ada, uri)
    expect([subscriptions.has(ada, 'notes', uri), subscriptions.has(bob, 'notes', uri)]).toEqual([
      false,
      true,
    ])
    expect(sent()).toEqual([])
    subscriptions.forget(bob)
    expect(sent()).toEqual([{ unwatch: uri }])
  })

  it('of servers that have the same URI are kept apart', async () => {
    const servers = upstreamSet({ notes, other: notes })
    const subscriptions = createSubscriptions(servers)
    await subscriptions.add(ada, servers.upstreams.get('notes')!, uri)
    await subscriptions.add(bob, servers.upstreams.get('other')!, uri)
    const has = (connection: object) =>
      ['notes', 'other'].filter((server) => subscriptions.has(connection, server, uri))
    expect([has(ada), has(bob)]).toEqual([['notes'], ['other']])
    await subscriptions.remove(ada, uri)
    expect([has(ada), has(bob)]).toEqual([[], ['other']])
  })

  it('are removed when the client disconnects while subscribing', async () => {
    const { subscriptions, upstream, sent } = start()
    const connection = {}
    const adding = subscriptions.add(connection, upstream, uri)
    subscriptions.forget(connection)
    await adding
    expect(sent()).toEqual([{ watch: uri }, { unwatch: uri }])
  })

  it('are repeated when their server is reconfigured, and only then', async () => {
    const { subscriptions, upstream, servers, sent } = start()
    await subscriptions.add(ada, upstream, uri)
    servers.change('notes', undefined)
    servers.change('notes', { ...notes, state: 'connecting' })
    expect(sent()).toEqual([{ watch: uri }])
    servers.change('notes', notes)
    expect(sent()).toEqual([{ watch: uri }])
    servers.change('other', notes)
    expect(sent()).toEqual([])
    await subscriptions.remove(ada, uri)
    expect(sent()).toEqual([{ unwatch: uri }])
  })
})
