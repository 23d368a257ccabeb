import { afterAll, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../protocol/json-object.ts'
import {
  faultyServer,
  httpFixture,
  modernServer,
  nodeServer,
  referenceServer,
  serverConfig,
  startHttpServer,
} from './fixtures/servers.fixtures.ts'
import { callText, createUpstreams, until } from './fixtures/watch.fixtures.ts'

const upstreams = createUpstreams()
afterAll(async () => {
  expect(await upstreams.closeAll()).toEqual([])
})

const WATCHED = 'modern://watched'
const UPDATED = 'notifications/resources/updated'

function recordUpdates() {
  const updates: string[] = []
  const onNotification = vi.fn((method: string, params: JsonObject) => {
    if (method === UPDATED) updates.push(String(params.uri))
  })
  return { updates, onNotification }
}

describe('watchResource', () => {
  it('reports changes to the watched resources of a modern server, and to no others, also after a restart', async () => {
    const { updates, onNotification } = recordUpdates()
    const upstream = upstreams.open(modernServer(['only']), { onNotification })
    const touch = (uri: string) => callText(upstream, 'touch', { uri })
    await Promise.all([upstream.watchResource(WATCHED), upstream.watchResource('modern://other')])
    await touch(WATCHED)
    await touch('modern://nobody')
    await touch('modern://other')
    await until(() => updates.includes('modern://other'))
    // an update may arrive twice while one stream replaces another
    expect(new Set(updates)).toEqual(new Set([WATCHED, 'modern://other']))

    await upstream.unwatchResource(WATCHED)
    updates.length = 0
    await touch(WATCHED)
    await touch('modern://other')
    await until(() => updates.length > 0)
    expect(updates).not.toContain(WATCHED)

    updates.length = 0
    const { pid } = upstream.status
    await expect(callText(upstream, 'exit')).rejects.toMatchObject({ code: 'died' })
    await until(() => upstream.status.state === 'ready' && upstream.status.pid !== pid)
    await until(async () => {
      await touch(WATCHED)
      await touch('modern://other')
      return updates.length > 0
    })
    expect(updates[0]).toBe('modern://other')
  })

  it('watches again after an HTTP server has restarted', async () => {
    const first = await startHttpServer(httpFixture)
    const { updates, onNotification } = recordUpdates()
    const connection = { kind: 'http', url: `${first.url}/mcp`, headers: {} } as const
    const upstream = upstreams.open(serverConfig(connection), { onNotification })
    const hasUpdate = async () => {
      await callText(upstream, 'touch', { uri: WATCHED }).catch(() => {})
      return updates.length > 0
    }
    await upstream.watchResource(WATCHED)
    await until(hasUpdate)
    first.child.kill('SIGKILL')
    await new Promise((resolve) => first.child.once('exit', resolve))
    updates.length = 0
    const second = await startHttpServer(httpFixture, { PORT: String(first.port) })
    await until(hasUpdate)
    second.child.kill('SIGKILL')
  })

  it('subscribes again after a legacy server has restarted', async () => {
    const { updates, onNotification } = recordUpdates()
    const upstream = upstreams.open(nodeServer([referenceServer('everything')]), { onNotification })
    const uri = 'demo://resource/dynamic/text/1'
    await upstream.watchResource(uri)
    const { pid } = upstream.status
    process.kill(pid!, 'SIGKILL')
    await until(() => upstream.status.state === 'ready' && upstream.status.pid !== pid)
    await callText(upstream, 'toggle-subscriber-updates')
    await until(() => updates.length > 0)
    expect(updates[0]).toBe(uri)
  })

  it('rejects if the server does not support subscriptions', async () => {
    const upstream = upstreams.open(faultyServer())
    await expect(upstream.watchResource('memory://x')).rejects.toMatchObject({ code: 'refused' })
  })
})
