import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
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

describe('the level of log messages that a client of the older protocol sets', () => {
  it('reaches servers that log nothing before, also when they were restarted', async () => {
    const heard: string[] = []
    const client = new Client(info)
    client.setNotificationHandler('notifications/message', ({ params }) => {
      heard.push(params.level)
    })
    await client.connect(new StdioClientTransport(served.command()))
    await ready(client)
    await client.callTool(log)
    expect(heard).toEqual([])
    await client.setLoggingLevel('warning')
    await client.callTool(log)
    expect(heard).toEqual(['warning', 'error'])

    expect((await client.callTool(crash)).isError).toBe(true)
    heard.length = 0
    const isLogged = async () => textOf(await client.callTool(log))
    await until(isLogged, (text) => text === 'logged' && heard.length > 0)
    expect(new Set(heard)).toEqual(new Set(['warning', 'error']))
    await client.close()
  })

  it('is its own, whatever another one wants', async () => {
    const url = new URL((await served.http()).url)
    const open = async (level: 'debug' | 'error') => {
      const heard: string[] = []
      const client = new OldClient(info)
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
        heard.push(params.level)
      })
      await client.connect(new OldHttp(url) as never)
      await ready(client as unknown as AnyClient)
      await client.setLoggingLevel(level)
      return { client, heard }
    }
    const [all, few] = [await open('debug'), await open('error')]
    await few.client.callTool(log)
    await all.client.callTool(log)
    expect(few.heard).toEqual(['error'])
    expect(all.heard).toEqual(['debug', 'info', 'warning', 'error'])
    await Promise.all([all.client.close(), few.client.close()])
  })
})
