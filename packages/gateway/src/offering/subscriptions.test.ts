import { describe, expect, it } from 'vitest'
import { createSubscriptions } from './subscriptions.ts'
import { type FakeServer, upstreamSet } from './upstream-set.fixtures.ts'

const uri = 'notes://1'
const [ada, bob] = [{}, {}]
const notes: FakeServer = { tools: [] }

function start() {
  const servers = upstreamSet({ notes })
  const find = async () => servers.upstreams.get('notes')!
  const told = () => servers.calls.splice(0).map(({ params }) => params)
  return { servers, told, subscriptions: createSubscriptions({ find }, servers) }
}

describe('subscriptions', () => {
  it('tell a server of the first who wants to hear, and of the last', async () => {
    const { subscriptions, told } = start()
    await subscriptions.add(ada, uri)
    await subscriptions.add(bob, uri)
    expect(told()).toEqual([{ watch: uri }])
    await subscriptions.remove(ada, uri)
    expect([subscriptions.has(ada, uri), subscriptions.has(bob, uri)]).toEqual([false, true])
    expect(told()).toEqual([])
    subscriptions.forget(bob)
    expect(told()).toEqual([{ unwatch: uri }])
  })

  it('of who left meanwhile are ended', async () => {
    const { subscriptions, told } = start()
    const party = {}
    const adding = subscriptions.add(party, uri)
    subscriptions.forget(party)
    await adding
    expect(told()).toEqual([{ watch: uri }, { unwatch: uri }])
  })

  it('are made again when a server was configured anew, and only then', async () => {
    const { subscriptions, servers, told } = start()
    await subscriptions.add(ada, uri)
    servers.change('notes', undefined)
    servers.change('notes', { ...notes, state: 'connecting' })
    expect(told()).toEqual([{ watch: uri }])
    servers.change('notes', notes)
    expect(told()).toEqual([{ watch: uri }])
    servers.change('other', notes)
    expect(told()).toEqual([])
    await subscriptions.remove(ada, uri)
    expect(told()).toEqual([{ unwatch: uri }])
  })
})
