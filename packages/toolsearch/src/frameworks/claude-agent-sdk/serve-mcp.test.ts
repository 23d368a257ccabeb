import { describe, expect, it, vi } from 'vitest'
import { type McpServing, serveMcp } from './serve-mcp.ts'

async function start(serving: Partial<McpServing> = {}) {
  const sent: object[] = []
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    start: async () => {},
    send: async (message: never) => void sent.push(message),
  }
  const announceChange = await serveMcp(
    {
      name: 'test',
      instructions: async () => undefined,
      tools: async () => [],
      call: async () => ({ content: [] }),
      ...serving,
    },
    transport,
  )
  const receive = (message: object) => transport.onmessage!(message as never)
  return { sent, transport, receive, announceChange }
}

describe('serveMcp', () => {
  it('introduces itself with the protocol version of the client', async () => {
    const { sent, receive } = await start({ instructions: async () => 'Search first.' })
    receive({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-11-25', instructions: 'Search first.' },
    })
  })

  it.each(['resources/list', 'toString'])('answers %s with an error', async (method) => {
    const { sent, receive } = await start()
    receive({ id: 1, method })
    await vi.waitFor(() => expect(sent).toMatchObject([{ id: 1, error: { code: -32601 } }]))
  })

  it('answers a call that throws with an error', async () => {
    const call = () => Promise.reject(new Error('The store is gone.'))
    const { sent, receive } = await start({ call })
    receive({ id: 1, method: 'tools/call', params: { name: 'a' } })
    const error = { code: -32603, message: 'The store is gone.' }
    await vi.waitFor(() => expect(sent).toMatchObject([{ id: 1, error }]))
  })

  it.each(['cancelled', 'closed'])('aborts a running call that is %s', async (how) => {
    const signals: AbortSignal[] = []
    const call: McpServing['call'] = (_params, signal) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    const { receive, transport } = await start({ call })
    receive({ id: 1, method: 'tools/call', params: { name: 'a' } })
    receive({ id: 2, method: 'tools/call', params: { name: 'b' } })
    expect(signals).toHaveLength(2)
    if (how === 'closed') transport.onclose!()
    else receive({ method: 'notifications/cancelled', params: { requestId: 1 } })
    expect(signals.map((signal) => signal.aborted)).toEqual([true, how === 'closed'])
  })

  it('ignores notifications and answers, and survives a closed connection', async () => {
    const { sent, receive, transport, announceChange } = await start()
    receive({ method: 'notifications/initialized' })
    receive({ id: 'x', result: {} })
    announceChange()
    expect(sent).toMatchObject([{ method: 'notifications/tools/list_changed' }])
    transport.send = () => Promise.reject(new Error('closed'))
    receive({ id: 1, method: 'ping' })
    announceChange()
    await new Promise((resolve) => setImmediate(resolve))
  })
})
