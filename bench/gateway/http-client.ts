import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { type Answer, createPending, initialize, type McpClient } from './mcp-client.ts'

/** Connects over Streamable HTTP with keep-alive. */
export async function connectHttp(url: string): Promise<McpClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const pending = createPending()
  let session: string | undefined
  async function send(message: object): Promise<void> {
    const response = await post(agent, url, { jsonrpc: '2.0', ...message }, session)
    session ??= response.headers['mcp-session-id'] as string | undefined
    const text = await read(response)
    if (response.statusCode! >= 300) throw new Error(`HTTP ${response.statusCode}: ${text}`)
    if (text === '') return
    const isStream = String(response.headers['content-type']).includes('event-stream')
    for (const data of isStream ? events(text) : [text]) pending.settle(JSON.parse(data))
  }
  const client: McpClient = {
    request(method, params = {}) {
      const { id, answer } = pending.add()
      return Promise.race([answer, send({ id, method, params }).then(() => answer)])
    },
    async close() {
      agent.destroy()
    },
  }
  return initialize(client, (method) => send({ method }))
}

/** Connects over HTTP+SSE, the transport of the first revision of MCP. */
export async function connectSse(url: string): Promise<McpClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const pending = createPending()
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { headers: { accept: 'text/event-stream' } }, resolve)
      .on('error', reject)
      .end()
  })
  if (stream.statusCode !== 200) {
    stream.resume()
    throw Object.assign(new Error(`HTTP ${stream.statusCode}`), { code: 'ECONNREFUSED' })
  }
  let rest = ''
  let endpoint = ''
  const opened = new Promise<void>((resolve) => {
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split(/\r?\n\r?\n/)
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const [data = ''] = events(`${part}\n\n`)
        if (/^event: endpoint/m.test(part)) {
          endpoint = new URL(data, url).href
          resolve()
        } else if (data.startsWith('{')) pending.settle(JSON.parse(data))
      }
    })
  })
  await opened
  const send = async (message: object) => {
    await read(await post(agent, endpoint, { jsonrpc: '2.0', ...message }))
  }
  const client: McpClient = {
    request(method, params = {}) {
      const { id, answer } = pending.add()
      void send({ id, method, params }).catch((error) => pending.fail(error))
      return answer as Promise<Answer>
    },
    async close() {
      stream.destroy()
      agent.destroy()
    },
  }
  return initialize(client, (method) => send({ method }))
}

function post(
  agent: Agent,
  url: string,
  message: object,
  session?: string,
): Promise<IncomingMessage> {
  const body = Buffer.from(JSON.stringify(message))
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    }
    const request = httpRequest(url, { method: 'POST', agent, headers }, resolve)
    request.on('error', (error: Error & { code?: string }) => {
      // The server closed an idle connection just as we reused it.
      const isStaleConnection = request.reusedSocket && error.code === 'ECONNRESET'
      if (isStaleConnection) post(agent, url, message, session).then(resolve, reject)
      else reject(error)
    })
    request.end(body)
  })
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function events(text: string): string[] {
  return text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
    return data.length > 0 ? [data.map((line) => line.slice(5).trimStart()).join('\n')] : []
  })
}
