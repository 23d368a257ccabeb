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
import { callText, createHarbour, until } from './fixtures/watch.fixtures.ts'

const harbour = createHarbour()
afterAll(async () => {
  expect(await harbour.clear()).toEqual([])
})

const WATCHED = 'modern://watched'
const UPDATED = 'notifications/resources/updated'

function hearing() {
  const heard: string[] = []
  const onNotification = vi.fn((method: string, params: JsonObject) => {
    if (method === UPDATED) heard.push(String(params.uri))
  })
  return { heard, onNotification }
}

describe('a resource that is watched', () => {
  it('at a server of the newer era is listened to, each with the others', async () => {
    const { heard, onNotification } = hearing()
    const upstream = harbour.open(modernServer(['only']), { onNotification })
    const touch = (uri: string) => callText(upstream, 'touch', { uri })
    await Promise.all([upstream.watchResource(WATCHED), upstream.watchResource('modern://other')])
    await touch(WATCHED)
    await touch('modern://nobody')
    await touch('modern://other')
    await until(() => heard.includes('modern://other'))
    // one that is told twice, while one stream takes the place of another, is no harm
    expect(new Set(heard)).toEqual(new Set([WATCHED, 'modern://other']))

    await upstream.unwatchResource(WATCHED)
    heard.length = 0
    await touch(WATCHED)
    await touch('modern://other')
    await until(() => heard.length > 0)
    expect(heard).not.toContain(WATCHED)
  })

  it('at a server of the newer era is listened to again when that was restarted', async () => {
    const { heard, onNotification } = hearing()
    const upstream = harbour.open(modernServer(['only']), { onNotification })
    await upstream.watchResource(WATCHED)
    const { pid } = upstream.status
    await expect(callText(upstream, 'exit')).rejects.toMatchObject({ code: 'died' })
    await until(() => upstream.status.state === 'ready' && upstream.status.pid !== pid)
    await until(async () => {
      await callText(upstream, 'touch', { uri: WATCHED })
      return heard.length > 0
    })
    expect(heard[0]).toBe(WATCHED)
  })

  it('over HTTP is listened to again when the server was restarted', async () => {
    const first = await startHttpServer(httpFixture)
    const { heard, onNotification } = hearing()
    const connection = { kind: 'http', url: `${first.url}/mcp`, headers: {} } as const
    const upstream = harbour.open(serverConfig(connection), { onNotification })
    const isHeard = async () => {
      await callText(upstream, 'touch', { uri: WATCHED }).catch(() => {})
      return heard.length > 0
    }
    await upstream.watchResource(WATCHED)
    await until(isHeard)
    first.child.kill('SIGKILL')
    await new Promise((resolve) => first.child.once('exit', resolve))
    heard.length = 0
    const second = await startHttpServer(httpFixture, { PORT: String(first.port) })
    await until(isHeard)
    second.child.kill('SIGKILL')
  })

  it('at a server of the older era is subscribed to again when that was restarted', async () => {
    const { heard, onNotification } = hearing()
    const upstream = harbour.open(nodeServer([referenceServer('everything')]), { onNotification })
    const uri = 'demo://resource/dynamic/text/1'
    await upstream.watchResource(uri)
    const { pid } = upstream.status
    process.kill(pid!, 'SIGKILL')
    await until(() => upstream.status.state === 'ready' && upstream.status.pid !== pid)
    await callText(upstream, 'toggle-subscriber-updates')
    await until(() => heard.length > 0)
    expect(heard[0]).toBe(uri)
  })

  it('is not, where the server does not tell of changes', async () => {
    const upstream = harbour.open(faultyServer())
    await expect(upstream.watchResource('memory://x')).rejects.toMatchObject({ code: 'refused' })
  })
})
