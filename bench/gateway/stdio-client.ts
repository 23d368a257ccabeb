import type { ChildProcess } from 'node:child_process'
import { createLineSplitter } from '../../packages/gateway/src/protocol/line-splitter.ts'
import { createPending, initialize, type McpClient } from './mcp-client.ts'

/** Connects to a child process over stdio. */
export function connectStdio(child: ChildProcess): Promise<McpClient> {
  const pending = createPending()
  const splitter = createLineSplitter({
    maxBytes: 256 * 1024 * 1024,
    onLine: (line) => {
      if (line.startsWith('{')) pending.settle(JSON.parse(line))
    },
    onSkipped: () => {},
  })
  child.stdout!.on('data', (chunk: Buffer) => splitter.push(chunk))
  child.once('exit', () => pending.fail(new Error('The process has ended.')))
  const send = (message: object) =>
    void child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const client: McpClient = {
    request(method, params = {}) {
      const { id, answer } = pending.add()
      send({ id, method, params })
      return answer
    },
    async close() {
      child.stdin!.end()
    },
  }
  return initialize(client, (method) => send({ method }))
}
