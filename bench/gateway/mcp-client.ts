/** A client with next to nothing of its own, so that what is measured is the other side. */
export interface McpClient {
  /** Rejects with an error answer as an Error. */
  request(method: string, params?: object): Promise<Answer>
  close(): Promise<void>
}

export interface Answer {
  readonly content?: readonly { readonly text?: string }[]
  readonly isError?: boolean
  readonly [field: string]: unknown
}

/** What each transport needs of the protocol: a way to send, and somebody to hand messages to. */
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
      const one = waiting.get(id)
      if (!one || (result === undefined && error === undefined)) return
      waiting.delete(id)
      if (result) one.resolve(result)
      else one.reject(new Error(JSON.stringify(error)))
    },
    fail(error) {
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
    },
  }
}

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
}

/** Opens the conversation, as every client of that protocol does. */
export async function initialize(
  client: McpClient,
  notify: (method: string) => Promise<void> | void,
): Promise<McpClient> {
  await client.request('initialize', HELLO)
  await notify('notifications/initialized')
  return client
}
