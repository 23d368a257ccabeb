import { Client } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultyServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, textOf, until } from './serving.fixtures.ts'

const info = { name: 'test', version: '1' }

let served: Serving
beforeAll(async () => {
  const quiet = { ...faultyServer({ quiet: true }).connection, kind: undefined }
  served = await serving({ mcpServers: { quiet }, toolsearch: { mode: 'passthrough' } })
})
afterAll(() => served.end())

type AnyClient = Pick<Client, 'callTool' | 'listTools' | 'close'>

async function ready(client: AnyClient): Promise<void> {
  await until(
    () => client.listTools(undefined, { cacheMode: 'refresh' }),
    ({ tools }) => tools.some(({ name }) => name === 'quiet__log'),
  )
}

const log = { name: 'quiet__log', arguments: { message: 'here' } }
const crash = { name: 'quiet__crash' }

describe('the log level of a legacy client', () => {
  it('reaches the servers, even after a restart', async () => {
    const levels: string[] = []
    const client = new Client(info)
    client.setNotificationHandler('notifications/message', ({ params }) => {
      levels.push(params.level)
    })
    await client.connect(served.pipe())
    await ready(client)
    await client.callTool(log)
    expect(levels).toEqual([])
    await client.setLoggingLevel('warning')
    await client.callTool(log)
    expect(levels).toEqual(['warning', 'error'])

    expect((await client.callTool(crash)).isError).toBe(true)
    levels.length = 0
    const isLogged = async () => textOf(await client.callTool(log))
    await until(isLogged, (text) => text === 'logged' && levels.length > 0)
    expect(new Set(levels)).toEqual(new Set(['warning', 'error']))
    await client.close()
  })

  it('does not affect other clients', async () => {
    const url = new URL((await served.http()).url)
    const open = async (level: 'debug' | 'error') => {
      const levels: string[] = []
      const client = new OldClient(info)
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
        levels.push(params.level)
      })
      await client.connect(new OldHttp(url) as never)
      await ready(client as unknown as AnyClient)
      await client.setLoggingLevel(level)
      return { client, levels }
    }
    const [all, few] = [await open('debug'), await open('error')]
    await few.client.callTool(log)
    await all.client.callTool(log)
    expect(few.levels).toEqual(['error'])
    expect(all.levels).toEqual(['debug', 'info', 'warning', 'error'])
    await Promise.all([all.client.close(), few.client.close()])
  })
})
