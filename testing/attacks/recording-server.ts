import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An MCP server over HTTP that keeps every request it receives, and answers whatever a test wants. */
export interface RecordingServer {
  readonly url: string
  /** All requests, in the order in which they arrived. */
  readonly requests: readonly RecordedRequest[]
  /** The calls among them. */
  readonly calls: readonly { readonly name: string; readonly arguments?: object }[]
  /** What `tools/list` returns. */
  tools: readonly object[]
  /**
   * Returns the result for a method, or undefined for the default: tools are listed, and each call returns its
   * arguments as text. Throws to answer with an error.
   */
  answer: ((method: string, params: Params, request: RecordedRequest) => unknown) | undefined
  close(): Promise<void>
}

interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Params = Readonly<Record<string, unknown>>

export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: RecordedRequest[] = []
  const calls: { name: string; arguments?: object }[] = []
  const server = createServer(async (incoming, response) => {
    const body = await bodyOf(incoming)
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body }
    requests.push(request)
    const message = parsed(body)
    if (message?.id === undefined) {
      response.writeHead(method === 'POST' ? 202 : 405).end()
      return
    }
    const { id, params = {} } = message
    if (message.method === 'tools/call') calls.push(params as never)
    const answer = await Promise.resolve()
      .then(() => recording.answer?.(message.method, params, request))
      .then((given) => given ?? usualAnswer(message.method, params, recording.tools))
      .then(
        (result) =>
          result === undefined
            ? { error: { code: -32_601, message: 'Unknown method' } }
            : { result },
        (error: Error) => ({ error: { code: -32_000, message: error.message } }),
      )
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const recording: RecordingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    calls,
    tools: ['read', 'write'].map((name) => ({
      name,
      description: `It can ${name} notes.`,
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: name === 'read' },
    })),
    answer: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return recording
}

function usualAnswer(method: string, params: Params, tools: readonly object[]): unknown {
  if (method === 'tools/list') return { tools }
  if (method === 'ping') return {}
  if (method === 'tools/call') {
    return { content: [{ type: 'text', text: JSON.stringify(params.arguments ?? {}) }] }
  }
  if (method !== 'initialize') return undefined
  const serverInfo = { name: 'recording', version: '1' }
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
}

function parsed(body: string): { id?: unknown; method: string; params?: Params } | undefined {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
