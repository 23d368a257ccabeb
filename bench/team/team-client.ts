import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'

/** Sends MCP requests as one person, to one or several replicas. */
export interface TeamClient {
  /** Resolves to the response and its HTTP status; rejects if the connection fails. */
  send(message: Message, options: SendOptions): Promise<Reply>
  close(): void
}

interface Message {
  readonly id?: number | string
  readonly method: string
  readonly params?: object
}

export interface SendOptions {
  /** The URL of a replica, with the path. */
  readonly url: string
  readonly token?: string | undefined
  readonly session?: string | undefined
}

interface Reply {
  readonly status: number
  readonly session?: string | undefined
  readonly result?: Result
  readonly error?: { readonly code: number; readonly message: string }
}

interface Result {
  readonly content?: readonly { readonly text?: string }[]
  readonly isError?: boolean
  readonly [field: string]: unknown
}

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
}

/** A minimal client, so that the benchmark measures the gateway rather than the client. */
export function createTeamClient(): TeamClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  return {
    async send(message, { url, token, session }) {
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = {
          'content-type': 'application/json',
          'content-length': body.length,
          accept: 'application/json, text/event-stream',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(session !== undefined && { 'mcp-session-id': session }),
        }
        httpRequest(url, { method: 'POST', agent, headers }, resolve).on('error', reject).end(body)
      })
      const text = await read(response)
      const opened = response.headers['mcp-session-id'] as string | undefined
      return { status: response.statusCode!, session: opened, ...parse(text) }
    },
    close: () => agent.destroy(),
  }
}

/** Opens a session as an older client does. @throws if the gateway refuses it */
export async function openSession(client: TeamClient, options: SendOptions): Promise<string> {
  const initialize = { id: 0, method: 'initialize', params: INITIALIZE }
  const { status, session, error } = await client.send(initialize, options)
  if (session === undefined) throw new Error(`No session: HTTP ${status} ${error?.message ?? ''}`)
  await client.send({ method: 'notifications/initialized' }, { ...options, session })
  return session
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** The JSON-RPC response in a JSON body, or in the last event of a stream. */
function parse(text: string): Pick<Reply, 'result' | 'error'> {
  const lines = text.split('\n').filter((line) => line.startsWith('data:'))
  const json = lines.length > 0 ? lines.at(-1)!.slice(5) : text
  try {
    const { result, error } = JSON.parse(json)
    return { ...(result && { result }), ...(error && { error }) }
  } catch {
    return {}
  }
}
