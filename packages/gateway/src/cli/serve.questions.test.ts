import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { everything, modern, type Serving, serving, textOf, until } from './serving.fixtures.ts'

const info = { name: 'test', version: '1' }
const capabilities = { elicitation: { form: {} }, sampling: {} }
const MODERN = { mode: { pin: '2026-07-28' } } as const

let served: Serving
let url: URL
/** Has started a gateway of its own, with the legacy protocol. */
let piped: Client
beforeAll(async () => {
  served = await serving({
    mcpServers: { everything, modern },
    toolsearch: { mode: 'passthrough' },
  })
  url = new URL((await served.http()).url)
  piped = new Client(info, { capabilities })
  await piped.connect(served.pipe())
})
afterAll(async () => {
  await piped.close()
  await served.end()
})

const accept = async () => ({ action: 'accept' as const, content: { name: 'Ada', ok: true } })
const sample = async () => ({
  model: 'm',
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'sampled' },
})

type AnyClient = Pick<Client, 'callTool' | 'listTools' | 'close'>

async function ready(client: AnyClient): Promise<void> {
  await until(
    () => client.listTools(undefined, { cacheMode: 'refresh' }),
    ({ tools }) => tools.some((tool) => tool.name === 'modern__ask') && tools.length > 15,
  )
}

/** Calls tools that request input, on one server of each era. */
async function answerRequests(client: AnyClient): Promise<void> {
  await ready(client)
  const elicited = await client.callTool({ name: 'everything__trigger-elicitation-request' })
  expect(JSON.stringify(elicited.content)).toContain('Ada')
  const sampled = await client.callTool({
    name: 'everything__trigger-sampling-request',
    arguments: { prompt: 'hello' },
  })
  expect(JSON.stringify(sampled.content)).toContain('sampled')
  const asked = await client.callTool({ name: 'modern__ask', arguments: { a: 1 } })
  expect(textOf(asked)).toBe('{"a":1}')
}

describe('a request from a server to the client', () => {
  it('is answered by an SDK 2 client with the legacy protocol', async () => {
    const elicit = vi.fn(accept)
    piped.setRequestHandler('elicitation/create', elicit)
    piped.setRequestHandler('sampling/createMessage', sample)
    await answerRequests(piped)
    expect(elicit).toHaveBeenCalledTimes(2)
  })

  it('is answered by an SDK 1 client over HTTP', async () => {
    const client = new OldClient(info, { capabilities })
    client.setRequestHandler(ElicitRequestSchema, accept)
    client.setRequestHandler(CreateMessageRequestSchema, sample)
    await client.connect(new OldHttp(url) as never)
    await answerRequests(client as unknown as AnyClient)
    await client.close()
  })

  it('is answered by a modern client, through an input request', async () => {
    const elicit = vi.fn(accept)
    const client = new Client(info, { capabilities, versionNegotiation: MODERN })
    client.setRequestHandler('elicitation/create', elicit)
    client.setRequestHandler('sampling/createMessage', sample)
    await client.connect(new StreamableHTTPClientTransport(url))
    await answerRequests(client)
    expect(elicit).toHaveBeenCalledTimes(2)
    await client.close()
  })

  it.each([undefined, MODERN])('is declined for a client that cannot answer (%j)', async (era) => {
    const client = new Client(info, era && { versionNegotiation: era })
    await client.connect(new StreamableHTTPClientTransport(url))
    await ready(client)
    const asked = await client.callTool({ name: 'everything__trigger-elicitation-request' })
    expect(JSON.stringify(asked.content)).toContain('declined')
    await client.close()
  })

  it('can ask the client to open a URL, through an error', async () => {
    const client = new OldClient(info)
    await client.connect(new OldHttp(url) as never)
    await ready(client as unknown as AnyClient)
    const call = client.callTool({
      name: 'everything__trigger-url-elicitation',
      arguments: { url: 'https://example.com/', errorPath: true },
    })
    await expect(call).rejects.toMatchObject({ code: -32042 })
    await client.close()
  })

  it('goes to the only client, even if it makes several calls at once', async () => {
    piped.setRequestHandler('elicitation/create', accept)
    await ready(piped)
    const name = 'everything__trigger-elicitation-request'
    const results = await Promise.all([1, 2, 3].map(() => piped.callTool({ name })))
    for (const { content } of results) expect(JSON.stringify(content)).toContain('Ada')
  })
})

describe('during a call', () => {
  const call = {
    name: 'everything__trigger-long-running-operation',
    arguments: { duration: 0.3, steps: 3 },
  }

  it.each([
    ['legacy', undefined],
    ['modern', MODERN],
  ])('progress notifications reach a %s client', async (_, era) => {
    const client = era ? new Client(info, { versionNegotiation: era }) : piped
    if (era) await client.connect(new StreamableHTTPClientTransport(url))
    await ready(client)
    const onprogress = vi.fn()
    await client.callTool(call, { onprogress })
    // The SDK client drops the last notification if it arrives together with the result.
    const progress = onprogress.mock.calls.map(([notification]) => notification.progress)
    expect(progress.length).toBeGreaterThanOrEqual(2)
    expect(progress).toEqual([1, 2, 3].slice(0, progress.length))
    if (era) await client.close()
  })

  it.each([undefined, MODERN])('a cancellation reaches the server (%j)', async (era) => {
    const client = new Client(info, era && { versionNegotiation: era })
    await client.connect(new StreamableHTTPClientTransport(url))
    await ready(client)
    const controller = new AbortController()
    const then = era ? 'modern_cancelled' : 'legacy_cancelled'
    const running = client.callTool(
      { name: 'modern__slow', arguments: { then } },
      { signal: controller.signal, onprogress: () => controller.abort() },
    )
    await expect(running).rejects.toThrow()
    // The server adds a tool when it is cancelled.
    const names = async () => {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' })
      return tools.map(({ name }) => name)
    }
    await expect.poll(names).toContain(`modern__${then}`)
    await client.close()
  })

  it('log messages of a server reach the client', async () => {
    const logged = vi.fn()
    const client = new OldClient(info)
    client.setNotificationHandler(LoggingMessageNotificationSchema, logged)
    await client.connect(new OldHttp(url) as never)
    await ready(client as unknown as AnyClient)
    await client.callTool({ name: 'everything__toggle-simulated-logging' })
    await expect.poll(() => logged.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(logged.mock.calls[0]![0].params.data).toContain('evel')
    await client.callTool({ name: 'everything__toggle-simulated-logging' })
    await client.close()
  })
})
