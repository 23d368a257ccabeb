import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { createPeer } from './create-peer.ts'

/** A peer whose other side never takes a message. */
function open() {
  const sent: JSONRPCMessage[] = []
  const notified: string[] = []
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send(message) {
      sent.push(message)
      return new Promise(() => {})
    },
  }
  createPeer({
    server: 'deaf',
    transport,
    onRequest: () => new Promise(() => {}),
    onNotification: (method) => void notified.push(method),
    onLost: () => {},
    toUpstreamError: (error) => error as never,
  })
  return { sent, notified, receive: (message: object) => transport.onmessage?.(message as never) }
}

describe('createPeer', () => {
  it('answers no further requests while very many are unanswered', async () => {
    const { sent, receive } = open()
    for (let id = 0; id < 250; id++) receive({ jsonrpc: '2.0', id, method: 'ping' })
    await new Promise(setImmediate)
    expect(sent).toHaveLength(100)
  })

  it('leaves out notifications that are very large, except changes', () => {
    const { notified, receive } = open()
    const notify = (method: string, size: number) =>
      receive({ jsonrpc: '2.0', method, params: { data: 'x'.repeat(size) } })
    notify('notifications/message', 300_000)
    notify('notifications/message', 1_000)
    notify('notifications/tools/list_changed', 300_000)
    expect(notified).toEqual(['notifications/message', 'notifications/tools/list_changed'])
  })

  it('answers no request with an id that nobody would choose', async () => {
    const { sent, receive } = open()
    for (const id of ['x'.repeat(1_001), null, {}, true]) {
      receive({ jsonrpc: '2.0', id, method: 'ping' })
    }
    await new Promise(setImmediate)
    expect(sent).toEqual([])
  })
})
