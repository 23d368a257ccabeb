import { PassThrough } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json-object.ts'
import {
  call,
  caseGateway,
  ERA_DEPENDENT_CALLS,
  type EraName,
  PLAIN_CALLS,
  SDK_CALLS,
  TAKEN_OVER_CALLS,
  withoutIds,
} from '../call-cases.fixtures.ts'
import { createStdioTransport } from '../stdio-transport.ts'
import { createStdioShortcut } from './stdio-shortcut.ts'

/** With the setting `shortcut`, without it, or with nothing of ours between the SDK and the client. */
type Setup = 'shortcut on' | 'shortcut off' | "SDK's own transport"

/** A connection and the messages that were sent on it. */
function connect(setup: Setup, mode?: 'dynamic') {
  const behind = caseGateway({ mode, shortcut: setup === 'shortcut on' })
  const input = new PassThrough()
  const output = new PassThrough()
  const sent: JsonObject[] = []
  const seenBySdk: unknown[] = []
  let waiting: (() => void) | undefined
  output.on('data', (chunk) => {
    for (const line of String(chunk).trim().split('\n')) sent.push(JSON.parse(line))
    waiting?.()
  })
  const { factory, interceptor } = createStdioShortcut(behind.factory)
  const transport: Transport =
    setup === "SDK's own transport"
      ? new StdioServerTransport(input, output)
      : createStdioTransport({ input, output, interceptor })
  const handle = serveStdio(factory, { transport })
  const toSdk = transport.onmessage!
  transport.onmessage = (message) => {
    seenBySdk.push((message as { method?: unknown }).method)
    toSdk(message)
  }
  return {
    behind,
    sent,
    seenBySdk,
    input,
    send: (message: unknown) =>
      void input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    close: () => handle.close(),
    /** Waits for the response to a request. Returns all messages that were sent until then. */
    async until(id: unknown) {
      while (!sent.some((message) => message.id === id)) {
        await new Promise<void>((resolve) => {
          waiting = resolve
        })
      }
      return sent
    },
  }
}

type Connection = ReturnType<typeof connect>

interface Opening {
  readonly capabilities?: JsonObject
  readonly mode?: 'dynamic'
}

async function open(setup: Setup, era: EraName, opening: Opening = {}): Promise<Connection> {
  const connection = connect(setup, opening.mode)
  if (era === '2025-11-25') {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: era, capabilities: opening.capabilities ?? {}, clientInfo }
    connection.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    await connection.until(0)
    connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  } else {
    connection.send(call(era, { name: 's__failing' }, 0))
    await connection.until(0)
  }
  connection.sent.length = 0
  connection.seenBySdk.length = 0
  connection.behind.clients.length = 0
  return connection
}

const SETUPS: readonly Setup[] = ['shortcut on', 'shortcut off', "SDK's own transport"]
const ERAS: readonly EraName[] = ['2025-11-25', '2026-07-28']

describe.each(ERAS)('a call over stdio, %s', (era) => {
  async function answers(setup: Setup, messages: readonly unknown[], last: unknown = 5) {
    const connection = await open(setup, era)
    const before = connection.behind.called.length
    for (const message of messages) connection.send(message)
    const sent = withoutIds(await connection.until(last))
    await connection.close()
    const { seenBySdk, behind } = connection
    return { sent, seenBySdk, called: behind.called.slice(before), clients: behind.clients }
  }

  /** Sends the same messages with each setup, and expects the same answers. */
  async function compare(messages: readonly unknown[]) {
    const on = await answers('shortcut on', messages)
    for (const setup of SETUPS.slice(1)) {
      const other = await answers(setup, messages)
      expect(on.sent).toEqual(other.sent)
      expect(on.called).toEqual(other.called)
      expect(on.clients).toEqual(other.clients)
    }
    return on
  }

  it.each(PLAIN_CALLS)(
    'is answered by the shortcut exactly as by the SDK: %s',
    async (_, params) => {
      const { seenBySdk, clients } = await compare([call(era, params)])
      expect(seenBySdk).not.toContain('tools/call')
      expect(clients).toEqual([{ id: 'stdio', name: 'test' }])
    },
  )

  it.each(TAKEN_OVER_CALLS)(
    'is started by the shortcut and taken over by the SDK, with the same answer: %s',
    async (_, params) => {
      const { seenBySdk, clients } = await compare([call(era, params)])
      expect(seenBySdk).toContain('tools/call')
      expect(clients).toEqual([{ id: 'stdio', name: 'test' }])
    },
  )

  it.each(SDK_CALLS)('is left to the SDK, with the same answer: %s', async (_, params) => {
    const { seenBySdk } = await compare([call(era, params)])
    expect(seenBySdk).toContain('tools/call')
  })

  it.each(ERA_DEPENDENT_CALLS)(
    'has the same answer with the shortcut on and off: %s',
    async (_, params) => {
      await compare([call(era, params)])
    },
  )

  it('may have a string as its id', async () => {
    const { sent } = await answers('shortcut on', [call(era, { name: 's__failing' }, 'a')], 'a')
    expect(sent).toMatchObject([{ id: 'a', result: { isError: true } }])
  })

  describe.each(SETUPS)('with %s', (setup) => {
    it('is cancelled by notifications/cancelled and not answered', async () => {
      const connection = await open(setup, era)
      connection.send(call(era, { name: 's__endless' }, 8))
      await expect.poll(() => connection.behind.called.at(-1)).toBe('endless')
      const { _meta } = call(era, {}).params as { _meta?: unknown }
      const params = { requestId: 8, ...(_meta !== undefined && { _meta }) }
      connection.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
      connection.send(call(era, { name: 's__failing' }, 9))
      expect((await connection.until(9)).map(({ id }) => id)).toEqual([9])
      expect(connection.behind.cancelled()).toBe(1)
    })

    it('does not wait for an earlier call', async () => {
      const calls = [call(era, { name: 's__endless' }, 8), call(era, { name: 's__failing' }, 9)]
      expect((await answers(setup, calls, 9)).sent.map(({ id }) => id)).toEqual([9])
    })

    it('is cancelled when the client disconnects', async () => {
      const connection = await open(setup, era)
      connection.send(call(era, { name: 's__endless' }, 8))
      await expect.poll(() => connection.behind.called.at(-1)).toBe('endless')
      connection.input.end()
      await expect.poll(() => connection.behind.cancelled()).toBe(1)
    })

    it('adds found tools to the list in mode dynamic, for legacy clients only', async () => {
      const connection = await open(setup, era, { mode: 'dynamic' })
      connection.send(call(era, { name: 'tool_search', arguments: { query: 'select:s__say' } }))
      await connection.until(5)
      connection.send({ ...call(era, {}, 6), method: 'tools/list' })
      const sent = await connection.until(6)
      const { tools } = sent.at(-1)!.result as { tools: { name: string }[] }
      const isLegacy = era === '2025-11-25'
      expect(tools.some(({ name }) => name === 's__say')).toBe(isLegacy)
      expect(sent.some(({ method }) => method === 'notifications/tools/list_changed')).toBe(
        isLegacy,
      )
    })
  })

  it('is answered after lines that are not valid messages', async () => {
    const bad = call(era, { name: 's__failing', _meta: { progressToken: {} } }, 4)
    const lines = ['', 'hello', 'null', '7', '[]', '{}', bad, call(era, { name: 's__failing' })]
    await compare(lines)
  })
})

describe('a call over stdio', () => {
  async function compare(opened: EraName, message: unknown): Promise<JsonObject[]> {
    const [on, ...others] = await Promise.all(
      SETUPS.map(async (setup) => {
        const connection = await open(setup, opened)
        connection.send(message)
        return connection.until(5)
      }),
    )
    for (const other of others) expect(on).toEqual(other)
    return on!
  }

  it.each<[string, EraName, EraName]>([
    ['a modern call on a legacy connection', '2025-11-25', '2026-07-28'],
    ['a legacy call on a modern connection', '2026-07-28', '2025-11-25'],
  ])('is left to the SDK: %s', async (_, opened, spoken) => {
    await compare(opened, call(spoken, { name: 's__failing' }))
  })

  it('is left to the SDK before the connection is initialized', async () => {
    const connection = connect('shortcut on')
    connection.send(call('2025-11-25', { name: 's__failing' }))
    await connection.until(5)
    expect(connection.seenBySdk).toEqual(['tools/call'])
  })

  it('is rejected when it is nested too deeply, and the next call is answered', async () => {
    const connection = await open('shortcut on', '2025-11-25')
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const params = `{"name":"s__failing","arguments":{"a":${deep}}}`
    connection.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":${params}}`)
    connection.send(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":${deep}}}`)
    connection.send(call('2025-11-25', { name: 's__failing' }, 6))
    expect(await connection.until(6)).toMatchObject([
      { id: 5, error: { code: -32600 } },
      { id: 6, result: { isError: true } },
    ])
    expect(connection.seenBySdk).toEqual([])
  })

  it('is left to the SDK when the client can answer server requests', async () => {
    const connection = await open('shortcut on', '2025-11-25', {
      capabilities: { elicitation: {} },
    })
    connection.send(call('2025-11-25', { name: 's__failing' }))
    await connection.until(5)
    expect(connection.seenBySdk).toContain('tools/call')
  })

  it('is left to the SDK when the client information is invalid', async () => {
    const _meta = { 'io.modelcontextprotocol/clientInfo': 'me' }
    const sent = await compare('2026-07-28', call('2026-07-28', { name: 's__failing', _meta }))
    expect(sent).toMatchObject([{ error: {} }])
  })

  it('forwards only log messages of the level that the client has set', async () => {
    const sent = await Promise.all(
      SETUPS.map(async (setup) => {
        const connection = await open(setup, '2025-11-25')
        const params = { level: 'error' }
        connection.send({ jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params })
        await connection.until(1)
        connection.send(call('2025-11-25', { name: 's__logging' }))
        await connection.until(5)
        const echo = { name: 's__say', arguments: { text: 'hello' } }
        connection.send(call('2025-11-25', echo, 6))
        return connection.until(6)
      }),
    )
    expect(sent[0]).toEqual(sent[1])
    expect(sent[0]).toEqual(sent[2])
    expect(sent[0]!.filter(({ method }) => method === 'notifications/message')).toHaveLength(1)
  })
})
