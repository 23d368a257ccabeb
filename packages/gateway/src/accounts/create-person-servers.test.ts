import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ServerConfig } from '../config/gateway-config.ts'
import type { Person } from '../identity/person.ts'
import { type OAuthFixture, oauthFixture } from '../sign-in/oauth-server.fixtures.ts'
import { faultyServer, serverConfig } from '../upstreams/fixtures/servers.fixtures.ts'
import { callText, isAlive } from '../upstreams/fixtures/watch.fixtures.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import {
  ask,
  connectAccount,
  createTeam,
  GATEWAY_URL,
  person,
  personValue,
  type Replica,
  type Team,
} from './accounts.fixtures.ts'

let team: Team
const remotes: OAuthFixture[] = []
beforeEach(async () => {
  team = await createTeam()
})
afterEach(async () => {
  await team.close()
  await Promise.all(remotes.splice(0).map((remote) => remote.close()))
})

const alice = person('alice')
const bob = person('bob')

async function mailServer(): Promise<{ remote: OAuthFixture; mail: ServerConfig }> {
  const remote = await oauthFixture()
  remotes.push(remote)
  const connection = { kind: 'http' as const, url: remote.url, headers: {} }
  return {
    remote,
    mail: serverConfig(connection, { name: 'mail', credentials: { kind: 'person' } }),
  }
}

/** A local command that gets a value of each person. */
function localServer(name = 'tool'): ServerConfig {
  const config = faultyServer({ stderr: 'starting' }, { name, credentials: { kind: 'person' } })
  const { connection } = config
  if (connection.kind !== 'stdio') throw new Error('unexpected')
  const env = { API_KEY: personValue('API_KEY'), MODE: 'production' }
  return { ...config, connection: { ...connection, env } }
}

function upstreamOf({ people }: Replica, who: Person, server: string): Upstream {
  return people.serversFor(who)!.upstreams.get(server)!
}

async function enter(replica: Replica, who: Person, server: string, value: string): Promise<void> {
  const path = `/api/accounts/${server}/values`
  const { status } = await ask(replica, who, 'PUT', path, { values: { API_KEY: value } })
  expect(status).toBe(204)
}

const called = 'open_tool was called by'

describe('servers with the credentials of people', () => {
  it('say where to connect an account, and connect to nothing before that', async () => {
    const { remote, mail } = await mailServer()
    const replica = await team.replica([mail])
    const upstream = upstreamOf(replica, alice, 'mail')
    await expect.poll(() => upstream.status.state).toBe('needs-sign-in')
    const message = `mail requires a sign-in. Open ${GATEWAY_URL}/accounts and connect mail.`
    expect(upstream.status.detail).toBe(message)
    await expect(callText(upstream, 'open_tool')).rejects.toMatchObject({
      code: 'needs-sign-in',
      message,
    })
    expect(remote.headers).toEqual([])
    expect(replica.people.open).toBe(0)
  })

  it('show each person the data of their own account', async () => {
    const { mail } = await mailServer()
    const replica = await team.replica([mail])
    await connectAccount(replica, alice, 'mail', 'alice@mail')
    await connectAccount(replica, bob, 'mail', 'bob@mail')
    const [ofAlice, ofBob] = [alice, bob].map((who) => upstreamOf(replica, who, 'mail'))
    const calls = [ofAlice, ofBob, ofAlice, ofBob].map((each) => callText(each!, 'open_tool'))
    const results = [`${called} alice@mail`, `${called} bob@mail`]
    expect(await Promise.all(calls)).toEqual([...results, ...results])
    expect(ofAlice!.tools).toHaveLength(2)
    expect(ofAlice!.tools).toBe(ofBob!.tools)
    expect(upstreamOf(replica, alice, 'mail')).toBe(ofAlice)
  })

  it('are ready as soon as a person connects an account, in every replica', async () => {
    const { mail } = await mailServer()
    const [one, other] = [await team.replica([mail]), await team.replica([mail])]
    const upstream = upstreamOf(other, alice, 'mail')
    await expect.poll(() => upstream.status.state).toBe('needs-sign-in')
    const changed: string[] = []
    other.people.serversFor(alice)!.subscribe((name) => changed.push(name))
    await connectAccount(one, alice, 'mail', 'alice@mail')
    await expect.poll(() => upstream.tools).toHaveLength(2)
    expect(changed).toContain('mail')
  })

  it('renew a token once for all replicas', async () => {
    const { remote, mail } = await mailServer()
    const replicas = [await team.replica([mail]), await team.replica([mail])]
    await connectAccount(replicas[0]!, alice, 'mail', 'alice@mail')
    await connectAccount(replicas[0]!, bob, 'mail', 'bob@mail')
    const upstreams = replicas.map((replica) => upstreamOf(replica, alice, 'mail'))
    await Promise.all(upstreams.map((each) => callText(each, 'open_tool')))
    remote.expireAccess('alice@mail')
    const calls = [...upstreams, ...upstreams].map((each) => callText(each, 'open_tool'))
    expect(await Promise.all(calls)).toEqual(Array(4).fill(`${called} alice@mail`))
    expect(remote.asked.filter((each) => each === 'refresh_token')).toHaveLength(1)
    expect(remote.refused).toEqual([])
  })

  it('ask for a new sign-in when it was revoked, and not for the sign-in of others', async () => {
    const { remote, mail } = await mailServer()
    const replica = await team.replica([mail])
    await connectAccount(replica, alice, 'mail', 'alice@mail')
    const upstream = upstreamOf(replica, alice, 'mail')
    await callText(upstream, 'open_tool')
    remote.revoke()
    await connectAccount(replica, bob, 'mail', 'bob@mail')
    await expect(callText(upstream, 'open_tool')).rejects.toThrow(
      `The sign-in to mail has expired. Open ${GATEWAY_URL}/accounts and connect mail.`,
    )
    expect(upstream.status.state).toBe('needs-sign-in')
    expect((await ask(replica, alice, 'GET', '/api/accounts')).body).toMatchObject({
      accounts: [{ state: 'expired', connection: { state: 'needs-sign-in' } }],
    })
    expect(await callText(upstreamOf(replica, bob, 'mail'), 'open_tool')).toBe(`${called} bob@mail`)
    await connectAccount(replica, alice, 'mail', 'alice@mail')
    await expect.poll(() => callText(upstream, 'open_tool')).toBe(`${called} alice@mail`)
  })

  it('switch to another account at once when a person connects it', async () => {
    const { mail } = await mailServer()
    const [one, other] = [await team.replica([mail]), await team.replica([mail])]
    await connectAccount(one, alice, 'mail', 'alice@home')
    const upstream = upstreamOf(other, alice, 'mail')
    expect(await callText(upstream, 'open_tool')).toBe(`${called} alice@home`)
    await connectAccount(one, alice, 'mail', 'alice@work')
    expect(await callText(upstream, 'open_tool')).toBe(`${called} alice@work`)
  })

  it('end when a person is removed', async () => {
    const { mail } = await mailServer()
    const config = localServer()
    const replica = await team.replica([mail, config])
    await connectAccount(replica, alice, 'mail', 'alice@mail')
    await enter(replica, alice, 'tool', 'key-of-alice')
    const tool = upstreamOf(replica, alice, 'tool')
    const pid = Number(await callText(tool, 'pid'))
    const call = callText(tool, 'hang')
    call.catch(() => {})
    await expect.poll(() => replica.people.open).toBe(2)
    expect([...(await replica.store.removeAll(alice.id))].sort()).toEqual(['mail', 'tool'])
    await expect(call).rejects.toMatchObject({ code: 'closed' })
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect.poll(() => replica.people.open).toBe(0)
    expect(await replica.store.list(alice.id)).toEqual([])
    expect(tool.tools).toEqual([])
  })
})

describe('local commands with values of people', () => {
  it('run as one process for each person, with the values of this person only', async () => {
    const replica = await team.replica([localServer()])
    await enter(replica, alice, 'tool', 'key-of-alice')
    await enter(replica, bob, 'tool', 'key-of-bob')
    const environments = await Promise.all(
      [alice, bob].map(async (who) => {
        const upstream = upstreamOf(replica, who, 'tool')
        const result = await upstream.request('tools/call', { name: 'environment', arguments: {} })
        return JSON.stringify(result)
      }),
    )
    expect(environments[0]).toContain('key-of-alice')
    expect(environments[0]).not.toContain('key-of-bob')
    expect(environments[1]).toContain('key-of-bob')
    expect(environments[1]).not.toContain('key-of-alice')
    expect(environments[0]).toContain('production')
  })

  it('need every value', async () => {
    const replica = await team.replica([localServer()])
    const upstream = upstreamOf(replica, alice, 'tool')
    await expect(callText(upstream, 'echo')).rejects.toThrow(
      `tool needs your API_KEY. Open ${GATEWAY_URL}/accounts to enter what is missing.`,
    )
    expect(upstream.status.state).toBe('needs-sign-in')
  })

  it('show none of the values in log output and errors', async () => {
    const config = localServer()
    const { connection } = config
    if (connection.kind !== 'stdio') throw new Error('unexpected')
    const script = 'console.error("invalid key " + process.env.API_KEY); process.exit(1)'
    const replica = await team.replica([
      { ...config, connection: { ...connection, args: ['-e', script] } },
    ])
    await enter(replica, alice, 'tool', 'hunter2hunter2')
    const upstream = upstreamOf(replica, alice, 'tool')
    const hint = `Check what you entered at ${GATEWAY_URL}/accounts`
    await expect(callText(upstream, 'echo')).rejects.toThrow(hint)
    await expect.poll(() => upstream.status.detail).toContain(hint)
    // The program writes it to its log output, which is for administrators.
    const problems = async () => {
      await callText(upstream, 'echo').catch(() => {})
      return replica.problems.join()
    }
    await expect.poll(problems).toContain('invalid key')
    expect(JSON.stringify([upstream.status, replica.problems])).not.toContain('hunter2hunter2')
  })

  it('restart with a new value', async () => {
    const replica = await team.replica([localServer()])
    await enter(replica, alice, 'tool', 'old-key-of-alice')
    const upstream = upstreamOf(replica, alice, 'tool')
    const pid = Number(await callText(upstream, 'pid'))
    await enter(replica, alice, 'tool', 'new-key-of-alice')
    const result = await upstream.request('tools/call', { name: 'environment', arguments: {} })
    expect(JSON.stringify(result)).toContain('new-key-of-alice')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

describe('connections of people', () => {
  it('end when they are idle, and the tools stay known', async () => {
    const replica = await team.replica([localServer()], { idleMs: 50 })
    await enter(replica, alice, 'tool', 'key-of-alice')
    const upstream = upstreamOf(replica, alice, 'tool')
    const pid = Number(await callText(upstream, 'pid'))
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(upstream.status.state).toBe('idle')
    expect(upstream.tools.length).toBeGreaterThan(5)
    expect(Number(await callText(upstream, 'pid'))).not.toBe(pid)
  })

  it('do not end while a call runs', async () => {
    const replica = await team.replica([localServer()], { idleMs: 1, maxOpen: 1 })
    await enter(replica, alice, 'tool', 'key-of-alice')
    await enter(replica, bob, 'tool', 'key-of-bob')
    const cancel = new AbortController()
    const upstream = upstreamOf(replica, alice, 'tool')
    const call = upstream.request(
      'tools/call',
      { name: 'hang', arguments: {} },
      { signal: cancel.signal },
    )
    call.catch(() => {})
    await expect.poll(() => upstream.status.state).toBe('ready')
    await expect(callText(upstreamOf(replica, bob, 'tool'), 'pid')).rejects.toThrow(
      'Too many people use servers with their own credentials at the moment, so tool was not started.',
    )
    cancel.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await expect
      .poll(() => callText(upstreamOf(replica, bob, 'tool'), 'pid').catch(() => undefined))
      .toBeDefined()
  })

  it('are limited in number: the one that was used longest ago ends first', async () => {
    const { mail } = await mailServer()
    const replica = await team.replica([mail], { maxOpen: 2 })
    const people = ['a', 'b', 'c'].map((name) => person(name))
    for (const who of people) await connectAccount(replica, who, 'mail', `${who.subject}@mail`)
    for (const who of people) {
      const text = await callText(upstreamOf(replica, who, 'mail'), 'open_tool')
      expect(text).toBe(`${called} ${who.subject}@mail`)
      expect(replica.people.open).toBeLessThanOrEqual(2)
    }
    expect(upstreamOf(replica, people[0]!, 'mail').status.state).toBe('idle')
    await expect.poll(() => upstreamOf(replica, people[2]!, 'mail').status.state).toBe('ready')
  })

  it('need not exist to know the tools of an earlier run', async () => {
    const { remote, mail } = await mailServer()
    const before = await team.replica([mail])
    await connectAccount(before, alice, 'mail', 'alice@mail')
    await callText(upstreamOf(before, alice, 'mail'), 'open_tool')
    await before.close()
    const after = await team.replica([mail])
    const upstream = upstreamOf(after, alice, 'mail')
    await expect.poll(() => upstream.tools).toHaveLength(2)
    expect(upstream.status.state).toBe('idle')
    expect(after.people.open).toBe(0)
    // the tools of another account may differ
    remote.asked.length = 0
    await connectAccount(after, alice, 'mail', 'other@mail')
    await expect.poll(() => upstream.status.state).toBe('ready')
  })

  it('follow the configuration', async () => {
    const { mail } = await mailServer()
    const local = localServer()
    const replica = await team.replica([mail, local])
    await connectAccount(replica, alice, 'mail', 'alice@mail')
    const set = replica.people.serversFor(alice)!
    const upstream = set.upstreams.get('mail')!
    await callText(upstream, 'open_tool')
    await replica.people.apply([mail])
    expect([...set.upstreams.keys()]).toEqual(['mail'])
    expect(set.upstreams.get('mail')).toBe(upstream)
    await replica.people.apply([{ ...mail, credentials: { kind: 'shared' } }])
    expect(replica.people.serversFor(alice)).toBeUndefined()
    await expect(callText(upstream, 'open_tool')).rejects.toMatchObject({ code: 'closed' })
    expect(replica.people.open).toBe(0)
  })

  it('are forgotten with people who were away longest', async () => {
    const { mail } = await mailServer()
    const replica = await team.replica([mail], { maxPeople: 2 })
    const first = replica.people.serversFor(person('a'))
    await expect.poll(() => first!.upstreams.get('mail')!.status.state).toBe('needs-sign-in')
    replica.people.serversFor(person('b'))
    expect(replica.people.serversFor(person('a'))).toBe(first)
    replica.people.serversFor(person('c'))
    expect(replica.people.serversFor(person('a'))).toBe(first)
  })
})
