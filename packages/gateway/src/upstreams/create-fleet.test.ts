import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ServerConfig } from '../config/gateway-config.ts'
import { createFleet, type Fleet, type FleetOptions } from './create-fleet.ts'
import { type Faults, faultyServer } from './fixtures/servers.fixtures.ts'
import { callText, isAlive, until } from './fixtures/watch.fixtures.ts'
import { createManifestCache } from './manifest-cache.ts'

const fleets: Fleet[] = []
const pids = new Set<number>()

async function launch(configs: readonly ServerConfig[], options?: FleetOptions): Promise<Fleet> {
  const fleet = await createFleet(configs, options)
  fleets.push(fleet)
  return fleet
}

async function allReady(fleet: Fleet): Promise<void> {
  await until(() => [...fleet.upstreams.values()].every(({ status }) => status.state === 'ready'))
  for (const { status } of fleet.upstreams.values()) pids.add(status.pid!)
}

function server(name: string, faults?: Faults, changes = {}): ServerConfig {
  return faultyServer(faults, { name, ...changes })
}

function cache() {
  return createManifestCache(mkdtempSync(join(tmpdir(), 'fleet-')))
}

afterEach(async () => {
  await Promise.all(fleets.splice(0).map((fleet) => fleet.close()))
  expect([...pids].filter(isAlive)).toEqual([])
})

describe('createFleet', () => {
  it('starts all servers at once without waiting for any of them', async () => {
    const fleet = await launch([server('a'), server('hanging', { hangAtStart: true }), server('b')])
    expect([...fleet.upstreams.keys()]).toEqual(['a', 'hanging', 'b'])
    expect(fleet.upstreams.get('hanging')!.status.state).toBe('connecting')
    expect(await callText(fleet.upstreams.get('b')!, 'echo', { message: 'here' })).toBe('here')
  })

  it('reports which server changed and how', async () => {
    const changes: string[] = []
    const fleet = await launch([server('a')], {
      onChange: (name, what) => changes.push(`${name} ${what}`),
    })
    await allReady(fleet)
    expect(changes).toEqual(['a members', 'a status', 'a tools', 'a tools', 'a status'])
  })

  it('loads tools from the cache, and starts a server on its first call', async () => {
    const sharedCache = cache()
    const first = await launch([server('a')], { cache: sharedCache })
    await allReady(first)
    await first.close()

    const second = await launch([server('a')], { cache: sharedCache })
    const upstream = second.upstreams.get('a')!
    expect(upstream.status).toMatchObject({ state: 'idle', era: 'legacy' })
    expect(upstream.instructions).toBe('Handle with care.')
    expect(upstream.tools.map((tool) => tool.name)).toContain('echo')
    expect(await callText(upstream, 'echo', { message: 'up' })).toBe('up')
    await allReady(second)
  })

  it('ignores cached tools if the connection has changed', async () => {
    const sharedCache = cache()
    const first = await launch([server('a')], { cache: sharedCache })
    await allReady(first)
    const second = await launch([server('a', { tools: 20 })], { cache: sharedCache })
    expect(second.upstreams.get('a')!.tools).toEqual([])
    await allReady(second)
    expect(second.upstreams.get('a')!.tools).toHaveLength(20)
  })

  it('adds, removes and restarts only the servers that changed', async () => {
    const fleet = await launch([server('same'), server('changed'), server('gone'), server('off')])
    await allReady(fleet)
    const before = new Map(fleet.upstreams)
    const pid = (name: string) => before.get(name)!.status.pid!
    const oldPids = {
      same: pid('same'),
      changed: pid('changed'),
      gone: pid('gone'),
      off: pid('off'),
    }

    await fleet.apply([
      server('new'),
      server('changed', { tools: 30 }),
      server('same', {}, { deny: ['crash'], alwaysLoad: true }),
      server('off', {}, { disabled: true }),
    ])
    expect([...fleet.upstreams.keys()]).toEqual(['new', 'changed', 'same'])
    expect(fleet.upstreams.get('same')).toBe(before.get('same'))
    expect([oldPids.changed, oldPids.gone, oldPids.off].filter(isAlive)).toEqual([])
    await allReady(fleet)
    expect(fleet.upstreams.get('same')!.status.pid).toBe(oldPids.same)
    expect(fleet.upstreams.get('changed')!.tools).toHaveLength(30)
  })

  it('applies new limits without a restart, and retries a failed server', async () => {
    const limits = { connectMs: 30_000, callMs: 30_000, resultChars: 1_000 }
    const slow = { slowStartMs: 1_500 }
    const fleet = await launch([
      server('a', {}, { limits }),
      server('slow', slow, { limits: { ...limits, connectMs: 200 } }),
    ])
    const [a, late] = [fleet.upstreams.get('a')!, fleet.upstreams.get('slow')!]
    await a.connect()
    // in this order: while "a" starts on a busy machine, a retry of the other may begin
    await late.connect()
    expect(late.status.state).toBe('failed')
    const { pid } = a.status
    await fleet.apply([
      server('a', {}, { limits: { ...limits, callMs: 300 } }),
      server('slow', slow, { limits }),
    ])
    expect(fleet.upstreams.get('a')).toBe(a)
    await expect(callText(a, 'hang')).rejects.toThrow(/within \d{1,3} ms/)
    expect(a.status.pid).toBe(pid)
    await allReady(fleet)
  })

  it('applies changes one at a time', async () => {
    const fleet = await launch([])
    await Promise.all([fleet.apply([server('a')]), fleet.apply([]), fleet.apply([server('b')])])
    expect([...fleet.upstreams.keys()]).toEqual(['b'])
    await allReady(fleet)
  })

  it('passes the name of the server to onServerRequest', async () => {
    const onServerRequest = async (name: string) => ({ action: 'accept', content: { name } })
    const fleet = await launch([server('a')], { onServerRequest })
    const answer = await callText(fleet.upstreams.get('a')!, 'ask')
    expect(JSON.parse(answer).content).toEqual({ name: 'a' })
    await allReady(fleet)
  })
})
