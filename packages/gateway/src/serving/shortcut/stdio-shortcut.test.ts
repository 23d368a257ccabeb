import { PassThrough } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json-object.ts'
import {
  CALLS_WITH_MORE,
  call,
  caseGateway,
  EITHER_CALLS,
  type EraName,
  OTHER_CALLS,
  PLAIN_CALLS,
  withoutIds,
} from '../call-cases.fixtures.ts'
import { createStdioDownstream } from './stdio-downstream.ts'

type Way = 'ours' | 'the SDK alone'

/** A connection, and what is said on it. */
function connect(way: Way, mode?: 'dynamic') {
  const behind = caseGateway(mode)
  const input = new PassThrough()
  const output = new PassThrough()
  const said: JsonObject[] = []
  const seenBySdk: unknown[] = []
  let waiting: (() => void) | undefined
  output.on('data', (chunk) => {
    for (const line of String(chunk).trim().split('\n')) said.push(JSON.parse(line))
    waiting?.()
  })
  const ours = createStdioDownstream(behind.factory, { input, output })
  const transport: Transport =
    way === 'ours' ? ours.transport : new StdioServerTransport(input, output)
  const factory = way === 'ours' ? ours.factory : behind.factory
  const handle = serveStdio(factory, { transport })
  const toSdk = transport.onmessage!
  transport.onmessage = (message) => {
    seenBySdk.push((message as { method?: unknown }).method)
    toSdk(message)
  }
  return {
    behind,
    said,
    seenBySdk,
    input,
    send: (message: unknown) =>
      void input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    close: () => handle.close(),
    /** Waits for the answer to this id, and gives all that was said until then. */
    async until(id: unknown) {
      while (!said.some((message) => message.id === id)) {
        await new Promise<void>((resolve) => {
          waiting = resolve
        })
      }
      return said
    },
  }
}

type Connection = ReturnType<typeof connect>

interface Opening {
  readonly capabilities?: JsonObject
  readonly mode?: 'dynamic'
}

async function open(way: Way, era: EraName, opening: Opening = {}): Promise<Connection> {
  const connection = connect(way, opening.mode)
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
  connection.said.length = 0
  connection.seenBySdk.length = 0
  connection.behind.clients.length = 0
  return connection
}

const WAYS: readonly Way[] = ['ours', 'the SDK alone']
const ERAS: readonly EraName[] = ['2025-11-25', '2026-07-28']

describe.each(ERAS)('a call over stdio, %s', (era) => {
  async function answers(way: Way, messages: readonly unknown[], last: unknown = 5) {
    const connection = await open(way, era)
    const before = connection.behind.called.length
    for (const message of messages) connection.send(message)
    const said = withoutIds(await connection.until(last))
    await connection.close()
    const { seenBySdk, behind } = connection
    return { said, seenBySdk, called: behind.called.slice(before), clients: behind.clients }
  }

  /** What both ways say, which is the same. */
  async function compare(messages: readonly unknown[]) {
    const [ours, theirs] = [
      await answers('ours', messages),
      await answers('the SDK alone', messages),
    ]
    expect(ours.said).toEqual(theirs.said)
    expect(ours.called).toEqual(theirs.called)
    expect(ours.clients).toEqual(theirs.clients)
    return ours
  }

  it.each(PLAIN_CALLS)('is answered as the SDK does, without it: %s', async (_, params) => {
    const { seenBySdk, clients } = await compare([call(era, params)])
    expect(seenBySdk).not.toContain('tools/call')
    expect(clients).toEqual([{ id: 'stdio', name: 'test' }])
  })

  it.each(CALLS_WITH_MORE)('is gone on with by the SDK: %s', async (_, params) => {
    const { seenBySdk, clients } = await compare([call(era, params)])
    expect(seenBySdk).toContain('tools/call')
    expect(clients).toEqual([{ id: 'stdio', name: 'test' }])
  })

  it.each(OTHER_CALLS)('is left to the SDK: %s', async (_, params) => {
    const { seenBySdk } = await compare([call(era, params)])
    expect(seenBySdk).toContain('tools/call')
  })

  it.each(EITHER_CALLS)('is answered as the SDK does: %s', async (_, params) => {
    await compare([call(era, params)])
  })

  it('has an id that may be a text', async () => {
    const { said } = await answers('ours', [call(era, { name: 's__failing' }, 'a')], 'a')
    expect(said).toMatchObject([{ id: 'a', result: { isError: true } }])
  })

  describe.each(WAYS)('by %s', (way) => {
    it('is cancelled and not answered', async () => {
      const connection = await open(way, era)
      connection.send(call(era, { name: 's__endless' }, 8))
      await expect.poll(() => connection.behind.called.at(-1)).toBe('endless')
      const { _meta } = call(era, {}).params as { _meta?: unknown }
      const params = { requestId: 8, ...(_meta !== undefined && { _meta }) }
      connection.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
      connection.send(call(era, { name: 's__failing' }, 9))
      expect((await connection.until(9)).map(({ id }) => id)).toEqual([9])
      expect(connection.behind.cancelled()).toBe(1)
    })

    it('does not wait for the one before it', async () => {
      const calls = [call(era, { name: 's__endless' }, 8), call(era, { name: 's__failing' }, 9)]
      expect((await answers(way, calls, 9)).said.map(({ id }) => id)).toEqual([9])
    })

    it('is cancelled when the client goes away', async () => {
      const connection = await open(way, era)
      connection.send(call(era, { name: 's__endless' }, 8))
      await expect.poll(() => connection.behind.called.at(-1)).toBe('endless')
      connection.input.end()
      await expect.poll(() => connection.behind.cancelled()).toBe(1)
    })

    it('lets the list grow in mode dynamic, where lists may', async () => {
      const connection = await open(way, era, { mode: 'dynamic' })
      connection.send(call(era, { name: 'tool_search', arguments: { query: 'select:s__say' } }))
      await connection.until(5)
      connection.send({ ...call(era, {}, 6), method: 'tools/list' })
      const said = await connection.until(6)
      const { tools } = said.at(-1)!.result as { tools: { name: string }[] }
      const isLegacy = era === '2025-11-25'
      expect(tools.some(({ name }) => name === 's__say')).toBe(isLegacy)
      expect(said.some(({ method }) => method === 'notifications/tools/list_changed')).toBe(
        isLegacy,
      )
    })
  })

  it('comes after lines that are no messages', async () => {
    const bad = call(era, { name: 's__failing', _meta: { progressToken: {} } }, 4)
    const lines = ['', 'hello', 'null', '7', '[]', '{}', bad, call(era, { name: 's__failing' })]
    await compare(lines)
  })
})

describe('a call over stdio', () => {
  async function both(opened: EraName, message: unknown): Promise<JsonObject[]> {
    const [ours, theirs] = await Promise.all(
      WAYS.map(async (way) => {
        const connection = await open(way, opened)
        connection.send(message)
        return connection.until(5)
      }),
    )
    expect(ours).toEqual(theirs)
    return ours!
  }

  it.each<[string, EraName, EraName]>([
    ['newer era on a connection of the older', '2025-11-25', '2026-07-28'],
    ['older era on a connection of the newer', '2026-07-28', '2025-11-25'],
  ])('of the %s is left to the SDK', async (_, opened, spoken) => {
    await both(opened, call(spoken, { name: 's__failing' }))
  })

  it('before the opening is left to the SDK', async () => {
    const connection = connect('ours')
    connection.send(call('2025-11-25', { name: 's__failing' }))
    await connection.until(5)
    expect(connection.seenBySdk).toEqual(['tools/call'])
  })

  it('that is nested too deep is refused, and the next one is answered', async () => {
    const connection = await open('ours', '2025-11-25')
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

  it('of a client that can be asked something is left to the SDK', async () => {
    const connection = await open('ours', '2025-11-25', { capabilities: { elicitation: {} } })
    connection.send(call('2025-11-25', { name: 's__failing' }))
    await connection.until(5)
    expect(connection.seenBySdk).toContain('tools/call')
  })

  it('of a client that says of itself what it should not is left to the SDK', async () => {
    const _meta = { 'io.modelcontextprotocol/clientInfo': 'me' }
    const said = await both('2026-07-28', call('2026-07-28', { name: 's__failing', _meta }))
    expect(said).toMatchObject([{ error: {} }])
  })

  it('tells no log message that the client has said is too small', async () => {
    const said = await Promise.all(
      WAYS.map(async (way) => {
        const connection = await open(way, '2025-11-25')
        const params = { level: 'error' }
        connection.send({ jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params })
        await connection.until(1)
        connection.send(call('2025-11-25', { name: 's__logging' }))
        await connection.until(5)
        const echo = { name: 's__say', arguments: { text: 'what do you hear of me?' } }
        connection.send(call('2025-11-25', echo, 6))
        return connection.until(6)
      }),
    )
    expect(said[0]).toEqual(said[1])
    expect(said[0]!.filter(({ method }) => method === 'notifications/message')).toHaveLength(1)
  })
})
