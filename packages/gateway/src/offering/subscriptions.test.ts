import { describe, expect, it } from 'vitest'
import { createSubscriptions } from './subscriptions.ts'
import { type FakeServer, upstreamSet } from './upstream-set.fixtures.ts'

const uri = 'notes://1'
const [ada, bob] = [{}, {}]
const notes: FakeServer = { tools: [] }
const client = (connection: object, person = 'issuer ann') => ({ connection, person })

function start() {
  const servers = upstreamSet({ notes })
  const upstream = servers.upstreams.get('notes')!
  const sent = () => servers.calls.splice(0).map(({ params }) => params)
  return { servers, upstream, sent, subscriptions: createSubscriptions(servers) }
}

describe('subscriptions', () => {
  it('reach the server only for the first and the last client', async () => {
    const { subscriptions, upstream, sent } = start()
    await subscriptions.add(client(ada), upstream, uri)
    await subscriptions.add(client(bob), upstream, uri)
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
    await subscriptions.add(client(ada), servers.upstreams.get('notes')!, uri)
    await subscriptions.add(client(bob), servers.upstreams.get('other')!, uri)
    const has = (connection: object) =>
      ['notes', 'other'].filter((server) => subscriptions.has(connection, server, uri))
    expect([has(ada), has(bob)]).toEqual([['notes'], ['other']])
    await subscriptions.remove(ada, uri)
    expect([has(ada), has(bob)]).toEqual([[], ['other']])
  })

  it('are removed when the client disconnects while subscribing', async () => {
    const { subscriptions, upstream, sent } = start()
    const connection = {}
    const adding = subscriptions.add(client(connection), upstream, uri)
    subscriptions.forget(connection)
    await adding
    expect(sent()).toEqual([{ watch: uri }, { unwatch: uri }])
  })

  it('are limited for each person', async () => {
    const { servers, upstream, sent } = start()
    const subscriptions = createSubscriptions(servers, 3)
    const add = (connection: object, name: string, person?: string) =>
      subscriptions.add(client(connection, person), upstream, name)
    const [one, two] = [{}, {}]
    await Promise.all([add(one, 'a'), add(one, 'b'), add(two, 'a'), add(two, 'a')])
    await expect(add(two, 'c')).rejects.toThrow('You watch 3 resources already')
    await add(bob, 'c', 'issuer bob')
    await subscriptions.remove(one, 'b')
    await add(two, 'c')
    await expect(add(two, 'd')).rejects.toThrow('already')
    subscriptions.forget(one)
    await add(two, 'd')
    expect(sent()).toEqual([
      ...['a', 'b', 'c'].map((uri) => ({ watch: uri })),
      { unwatch: 'b' },
      { watch: 'd' },
    ])
  })

  it('that a server rejects are not counted, and can be tried again', async () => {
    const { servers, upstream, sent } = start()
    const subscriptions = createSubscriptions(servers, 1)
    const accept = upstream.watchResource
    upstream.watchResource = async () => {
      throw new Error('no')
    }
    const both = [ada, bob].map((connection) =>
      subscriptions.add(client(connection, `${connection === ada}`), upstream, uri),
    )
    for (const each of both) await expect(each).rejects.toThrow('no')
    expect(subscriptions.has(ada, 'notes', uri)).toBe(false)
    upstream.watchResource = accept
    await subscriptions.add(client(ada, 'true'), upstream, uri)
    expect(sent()).toEqual([{ watch: uri }])
  })

  it('are repeated when their server is reconfigured, and only then', async () => {
    const { subscriptions, upstream, servers, sent } = start()
    await subscriptions.add(client(ada), upstream, uri)
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
