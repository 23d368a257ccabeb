import { afterEach, describe, expect, it } from 'vitest'
import type { ApiError, Overview, SignInStart } from '../inspection/api.ts'
import { type OAuthFixture, oauthFixture, visit } from '../sign-in/oauth-server.fixtures.ts'
import { recorded, type Serving, serving, until } from './serving.fixtures.ts'

let gateway: Serving | undefined
let remote: OAuthFixture | undefined

afterEach(async () => {
  await gateway?.end()
  await remote?.close()
})

describe('POST /api/servers/NAME/sign-in', () => {
  it('starts a sign-in, after which the gateway connects by itself', async () => {
    remote = await oauthFixture()
    gateway = await serving({ mcpServers: { remote: { url: remote.url }, everything: recorded } })
    const { url } = await gateway.http()
    const state = async () => {
      const overview = (await (await fetch(new URL('/api/overview', url))).json()) as Overview
      return overview.servers.find(({ name }) => name === 'remote')?.state
    }
    await until(state, (current) => current === 'needs-sign-in')
    const start = async (name: string) => {
      const path = new URL(`/api/servers/${name}/sign-in`, url)
      const response = await fetch(path, { method: 'POST' })
      return { status: response.status, data: await response.json() }
    }
    // A second attempt replaces the first.
    await start('remote')
    const { status, data } = await start('remote')
    expect(status).toBe(200)
    await visit((data as SignInStart).url)
    await until(state, (current) => current === 'ready')
    const local = await start('everything')
    expect(local.status).toBe(409)
    expect((local.data as ApiError).error).toContain('it is a local command')
  })
})
