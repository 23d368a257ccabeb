import { describe, expect, it } from 'vitest'
import { createSubscriptions } from './subscriptions.ts'
import { type FakeServer, upstreamSet } from './upstream-set.fixtures.ts'

const uri = 'notes://1'
const [ada, bob] = [{}, {}]
const notes: FakeServer = { tools: [] }

function start() {
  const servers = upstreamSet({ notes })
  const find = async () => servers.upstreams.get('notes')!
  const sent = () => servers.calls.splice(0).map(({ params }) => params)
  return { servers, sent, subscriptions: createSubscriptions({ find }, servers) }
}

describe('subscriptions', () => {
  it('reach the server only for the first and the last client', async () => {
    const { subscriptions, sent } = start()
    await subscriptions.add(ada, uri)
    await subscriptions.add(bob, uri)
    expect(sent()).toEqual([{ watch: uri }])
    await subscriptions.remove(ada, uri)
    expect([subscriptions.has(ada, uri), subscriptions.has(bob, uri)]).toEqual([false, true])
    expect(sent()).toEqual([])
    subscriptions.forget(bob)
    expect(sent()).toEqual([{ unwatch: uri }])
  })

  it('are removed when the client disconnects while subscribing', async () => {
    const { subscriptions, sent } = start()
    const connection = {}
    const adding = subscriptions.add(connection, uri)
    subscriptions.forget(connection)
    await adding
    expect(sent()).toEqual([{ watch: uri }, { unwatch: uri }])
  })

  it('are repeated when their server is reconfigured, and only then', async () => {
    const { subscriptions, servers, sent } = start()
    await subscriptions.add(ada, uri)
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
