/** A minimal MCP client, so that benchmarks measure the server rather than the client. */
export interface McpClient {
  /** Rejects if the response is an error. */
  request(method: string, params?: object): Promise<Answer>
  close(): Promise<void>
}

export interface Answer {
  readonly content?: readonly { readonly text?: string }[]
  readonly isError?: boolean
  readonly [field: string]: unknown
}

/** The requests that are waiting for a response. */
export interface Pending {
  add(): { id: number; answer: Promise<Answer> }
  settle(message: unknown): void
  fail(error: Error): void
}

export function createPending(): Pending {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>()
  let next = 1
  return {
    add() {
      const id = next++
      const answer = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }))
      return { id, answer }
    },
    settle(message) {
      const { id, result, error } = message as { id: number; result?: Answer; error?: unknown }
      const request = waiting.get(id)
      if (!request || (result === undefined && error === undefined)) return
      waiting.delete(id)
      if (result) request.resolve(result)
      else request.reject(new Error(JSON.stringify(error)))
    },
    fail(error) {
      for (const request of waiting.values()) request.reject(error)
      waiting.clear()
    },
  }
}

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
}

/** Performs the `initialize` handshake. */
export async function initialize(
  client: McpClient,
  notify: (method: string) => Promise<void> | void,
): Promise<McpClient> {
  await client.request('initialize', INITIALIZE)
  await notify('notifications/initialized')
  return client
}
