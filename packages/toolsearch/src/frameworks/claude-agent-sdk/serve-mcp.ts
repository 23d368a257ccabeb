import { isObject } from '../../is-object.ts'
import { errorText } from '../../outputs/output-text.ts'

/** An MCP server without the MCP SDK: as much as Claude Code needs of one in its own process. */
export interface McpServing {
  readonly name: string
  /** Text for the system prompt, read once per connection. */
  instructions(): Promise<string | undefined>
  tools(): Promise<readonly McpTool[]>
  /** Aborted when Claude Code cancels the call or closes the connection. */
  call(params: McpCall, signal: AbortSignal): Promise<object>
}

export interface McpTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations?: object
  readonly _meta?: object
}

interface McpCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Claude's id of the call. */
  readonly id?: string
}

/** The part of an MCP transport that we use. */
export interface McpTransport {
  onmessage?: ((message: never) => void) | undefined
  onclose?: (() => void) | undefined
  start(): Promise<void>
  send(message: never): Promise<void>
}

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
}

const METHOD_NOT_FOUND = -32601
const INTERNAL_ERROR = -32603

/** Serves a connection until it closes. Returns a function that tells the client to list the tools again. */
export async function serveMcp(serving: McpServing, transport: McpTransport): Promise<() => void> {
  const running = new Map<unknown, AbortController>()

  const methods: Record<string, (message: Message) => Promise<object>> = {
    async initialize({ params }) {
      const instructions = await serving.instructions()
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: serving.name, version: '1.0.0' },
        ...(instructions !== undefined && { instructions }),
      }
    },
    ping: async () => ({}),
    'tools/list': async () => ({ tools: await serving.tools() }),
    async 'tools/call'({ id, params }) {
      const controller = new AbortController()
      running.set(id, controller)
      try {
        const input = params?.arguments
        const meta = params?._meta
        const callId = isObject(meta) ? meta['claudecode/toolUseId'] : undefined
        const call = {
          name: String(params?.name),
          arguments: isObject(input) ? input : {},
          ...(typeof callId === 'string' && { id: callId }),
        }
        return await serving.call(call, controller.signal)
      } finally {
        running.delete(id)
      }
    },
  }

  transport.onmessage = (message: Message) => {
    if (message.method === 'notifications/cancelled') {
      running.get(message.params?.requestId)?.abort()
    } else if (message.id !== undefined && message.method !== undefined) void answer(message)
  }
  transport.onclose = () => {
    for (const controller of running.values()) controller.abort()
  }
  await transport.start()
  return () => send({ method: 'notifications/tools/list_changed' })

  async function answer(message: Message): Promise<void> {
    const { id, method = '' } = message
    try {
      const handle = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (handle) send({ id, result: await handle(message) })
      else send({ id, error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } })
    } catch (error) {
      send({ id, error: { code: INTERNAL_ERROR, message: errorText(error) } })
    }
  }

  function send(message: object): void {
    // A connection that closed needs no answer.
    transport.send({ jsonrpc: '2.0', ...message } as never).catch(() => {})
  }
}
