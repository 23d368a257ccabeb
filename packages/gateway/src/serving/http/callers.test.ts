import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { createAccess } from '../../access/create-access.ts'
import type { AccessRuleConfig } from '../../config/team-config.ts'
import { bearerToken } from '../../identity/bearer-token.ts'
import type { Identity } from '../../identity/identity.ts'
import { LOCAL_PERSON, personId } from '../../identity/person.ts'
import { createGateway } from '../../offering/gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from '../../offering/upstream-set.fixtures.ts'
import { mcpServer } from '../mcp-server.ts'
import { type HttpService, serveHttp } from './serve-http.ts'

const closing: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((each) => each.close()))
})

/** A token is a name and groups: `ann:finance`. */
const identity: Identity = {
  url: 'http://127.0.0.1',
  authenticate({ headers }) {
    const [name = '', ...groups] = (bearerToken(headers) ?? '').split(':')
    const person = { ...LOCAL_PERSON, id: personId('test', name), subject: name, groups }
    return { person: { ...person, role: 'member' as const } }
  },
  serves: () => false,
  handle: async () => new Response(),
}

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

async function start(initial: readonly AccessRuleConfig[]) {
  const servers = upstreamSet({
    bank: { tools: [tool('look'), tool('pay')] },
    mail: { tools: [tool('send')] },
  })
  const profile = { deny: [], readOnly: false, servers: ['mail'], mode: 'passthrough' as const }
  const config = gatewayConfig([serverConfig('bank'), serverConfig('mail')], {
    mode: 'passthrough',
    profiles: { letters: profile },
  })
  let access = createAccess({ ...config, access: { rules: initial, cedar: [] } })
  const listeners = new Set<() => void>()
  const gateway = createGateway(config, servers, {
    access: {
      rightsOf: (caller) => access.rightsOf(caller),
      onChanged(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  })
  const factory = mcpServer(gateway, servers, { version: '1' })
  const service: HttpService = await serveHttp(factory, { gateway, servers, identity })
  closing.push(service)
  return {
    url: service.url,
    servers,
    setRules(rules: readonly AccessRuleConfig[]) {
      access = createAccess({ ...config, access: { rules, cedar: [] } })
      for (const listener of listeners) listener()
    },
  }
}

async function connect(url: string, token: () => string) {
  const client = new Client({ name: 'test', version: '1' })
  let changes = 0
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes += 1
  })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${token()}`)
      return fetch(input, { ...init, headers })
    },
  })
  await client.connect(transport)
  closing.unshift(client)
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name).sort(),
    changes: () => changes,
  }
}

const RULES: AccessRuleConfig[] = [
  { allow: ['bank/*'], groups: ['finance'] },
  { allow: ['mail/*', 'bank/look'] },
]

describe('callers over HTTP', () => {
  it('see what they may use, and profiles narrow it', async () => {
    const { url } = await start(RULES)
    const ann = await connect(url, () => 'ann')
    const eve = await connect(url, () => 'eve:finance')
    const letters = await connect(`${url}/p/letters`, () => 'eve:finance')
    expect(await ann.names()).toEqual(['bank__look', 'mail__send'])
    expect(await eve.names()).toEqual(['bank__look', 'bank__pay', 'mail__send'])
    expect(await letters.names()).toEqual(['mail__send'])
    const { content } = await letters.client.callTool({ name: 'bank__look', arguments: {} })
    expect(JSON.stringify(content)).toContain('There is no tool named')
  })

  it('get other tools in the same session with other groups', async () => {
    const { url } = await start(RULES)
    let token = 'ann'
    const ann = await connect(url, () => token)
    expect(await ann.names()).toEqual(['bank__look', 'mail__send'])
    token = 'ann:finance'
    expect(await ann.names()).toEqual(['bank__look', 'bank__pay', 'mail__send'])
  })

  it('get the list of their own rights while a request with others comes in', async () => {
    const { url, servers } = await start(RULES)
    let [token, used] = ['ann', 0]
    const ann = await connect(url, () => {
      used += 1
      return token
    })
    const mail = servers.upstreams.get('mail')!
    Object.assign(mail.status, { isPending: true })
    const usedBefore = used
    const names = ann.names()
    await expect.poll(() => used).toBe(usedBefore + 1)
    token = 'ann:finance'
    const others = ann.names()
    await expect.poll(() => used).toBe(usedBefore + 2)
    // a request that does not wait is answered after both have arrived
    await ann.client.callTool({ name: 'bank__pay', arguments: {} })
    servers.change('mail', { tools: [...mail.tools] })
    expect(await names).toEqual(['bank__look', 'mail__send'])
    expect(await others).toEqual(['bank__look', 'bank__pay', 'mail__send'])
  })

  it('are notified when rules change their tools, and only then', async () => {
    const { url, setRules } = await start(RULES)
    const ann = await connect(url, () => 'ann')
    const eve = await connect(url, () => 'eve:finance')
    await Promise.all([ann.names(), eve.names()])
    setRules([{ allow: ['bank/*'], groups: ['finance'] }, { allow: ['mail/*'] }])
    await expect.poll(ann.changes).toBe(1)
    expect(await ann.names()).toEqual(['mail__send'])
    expect(await eve.names()).toEqual(['bank__look', 'bank__pay', 'mail__send'])
    expect(eve.changes()).toBe(0)
  })

  it('get no answer from a profile that does not exist', async () => {
    const { url } = await start(RULES)
    const post = async (path: string) => {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer ann', 'content-type': 'application/json' },
        body: '{}',
      })
      return [response.status, await response.text()]
    }
    expect((await post('/p/none'))[0]).toBe(404)
    expect((await post('/p/letters'))[0]).not.toBe(404)
  })
})
