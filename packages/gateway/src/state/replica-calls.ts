import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { CancelSignal } from '../protocol/cancellation.ts'
import { createKeyedQueue } from '../system/keyed-queue.ts'
import type { SharedState } from './shared-state.ts'

type Payload = Readonly<Record<string, unknown>>

/** Calls between the replicas of a gateway, for what only one of them can do. */
export interface ReplicaCalls {
  /** Identifies this process. New with each start. */
  readonly id: string
  /** What the replicas share. */
  readonly state: SharedState
  /** Whether a text is the id of a replica of this gateway, which may have stopped. */
  isReplica(id: string): boolean
  /** Answers the calls of one kind from other replicas. A handler that throws rejects the call. */
  handle(kind: string, handler: ReplicaHandler): void
  /**
   * Calls another replica and resolves to its answer, however long that takes. Rejects with
   * `ReplicaGoneError` if the replica has stopped or cannot be reached.
   */
  call(replica: string, kind: string, payload: Payload, options?: CallOptions): Promise<Payload>
  close(): Promise<void>
}

type ReplicaHandler = (
  payload: Payload,
  call: {
    /** Aborted when the caller no longer waits. */
    readonly signal: AbortSignal
    /** Sends an event to the caller. Events arrive in order, and before the answer. */
    readonly emit: (event: Payload) => void
  },
) => Promise<Payload>

interface CallOptions {
  readonly signal?: CancelSignal | undefined
  readonly onEvent?: (event: Payload) => void
}

/** The replica that has to answer has stopped, or does not respond. */
class ReplicaGoneError extends Error {
  override readonly name = 'ReplicaGoneError'
  readonly code = 'replica_gone'
}

type Message =
  | { type: 'call'; call: string; from: string; kind: string; payload: Payload }
  | { type: 'cancel'; call: string }
  | { type: 'alive'; call: string }
  | { type: 'event'; call: string; event: Payload }
  | { type: 'result'; call: string; result: Payload }
  | { type: 'error'; call: string; message: string }

interface Waiting {
  readonly resolve: (result: Payload) => void
  readonly reject: (error: Error) => void
  readonly onEvent: ((event: Payload) => void) | undefined
  isAlive(): void
}

export interface ReplicaCallsOptions {
  /** Starts the ids of all replicas of this gateway, and of no other gateway. Letters and digits. */
  readonly group: string
  /** A replica that says nothing for this long counts as gone. @default 10_000 */
  readonly silenceMs?: number
}

/** Longer messages are stored, and only their key is sent: Redis limits what waits for a subscriber. */
const MAX_MESSAGE_CHARS = 250_000
const STORED_MS = 60_000
const RESULT_ATTEMPTS = 10

export async function createReplicaCalls(
  state: SharedState,
  { group, silenceMs = 10_000 }: ReplicaCallsOptions,
): Promise<ReplicaCalls> {
  const id = `${group}-${randomUUID()}`
  const handlers = new Map<string, ReplicaHandler>()
  const waiting = new Map<string, Waiting>()
  const running = new Map<string, AbortController>()
  const enqueue = createKeyedQueue()
  let isClosed = false
  const stop = await state.subscribe(channelOf(id), (text) => void receive(text))

  async function send(to: string, message: Message): Promise<void> {
    const text = JSON.stringify(message)
    if (text.length <= MAX_MESSAGE_CHARS) return state.publish(channelOf(to), text)
    const stored = `message:${randomUUID()}`
    await state.set(stored, text, STORED_MS)
    await state.publish(channelOf(to), JSON.stringify({ call: message.call, stored }))
  }

  async function receive(text: string): Promise<void> {
    const { call, stored } = JSON.parse(text) as { call: string; stored?: string }
    // One at a time, so that a message that has to be read from the store keeps its place.
    await enqueue(call, async () => {
      const loaded = stored === undefined ? text : await state.get(stored).catch(() => undefined)
      if (stored !== undefined) void state.delete(stored).catch(() => {})
      if (loaded !== undefined) dispatch(JSON.parse(loaded) as Message)
    })
  }

  function dispatch(message: Message): void {
    if (message.type === 'call') {
      void answer(message)
      return
    }
    if (message.type === 'cancel') {
      running.get(message.call)?.abort()
      return
    }
    const call = waiting.get(message.call)
    call?.isAlive()
    if (message.type === 'event') call?.onEvent?.(message.event)
    if (message.type === 'result') call?.resolve(message.result)
    if (message.type === 'error') call?.reject(new Error(message.message))
  }

  async function answer({ call, from, kind, payload }: Message & { type: 'call' }): Promise<void> {
    const controller = new AbortController()
    running.set(call, controller)
    const isAlive = () => {
      if (!isClosed) void send(from, { type: 'alive', call }).catch(() => {})
    }
    isAlive()
    const timer = setInterval(isAlive, silenceMs / 4)
    // In order, even if some are stored.
    const emit = (event: Payload) =>
      void enqueue(`${call} events`, () =>
        send(from, { type: 'event', call, event }).catch(() => {}),
      )
    const outcome = await run(kind, payload, { signal: controller.signal, emit }).then(
      (result): Message => ({ type: 'result', call, result }),
      (error): Message => ({ type: 'error', call, message: (error as Error).message }),
    )
    await enqueue(`${call} events`, () => sendResult(from, outcome))
    clearInterval(timer)
    running.delete(call)
  }

  /** The caller waits for it, and the store may be away for a moment only. */
  async function sendResult(to: string, outcome: Message): Promise<void> {
    for (let attempt = 0; attempt < RESULT_ATTEMPTS; attempt++) {
      try {
        return await send(to, outcome)
      } catch {
        await delay(silenceMs / RESULT_ATTEMPTS)
      }
    }
  }

  async function run(kind: string, ...args: Parameters<ReplicaHandler>): Promise<Payload> {
    const handler = handlers.get(kind)
    if (!handler) throw new Error(`There is no handler for ${kind}.`)
    return handler(...args)
  }

  return {
    id,
    state,
    isReplica: (text) => text.startsWith(`${group}-`) && text.length === id.length,
    handle: (kind, handler) => void handlers.set(kind, handler),
    async call(replica, kind, payload, { signal, onEvent } = {}) {
      if (signal?.aborted) throw new Error('The call was cancelled.')
      const call = randomUUID()
      let timer: NodeJS.Timeout | undefined
      const cancel = () => void send(replica, { type: 'cancel', call }).catch(() => {})
      try {
        return await new Promise<Payload>((resolve, reject) => {
          const isAlive = () => {
            clearTimeout(timer)
            timer = setTimeout(
              () => reject(new ReplicaGoneError('The replica is gone.')),
              silenceMs,
            )
          }
          waiting.set(call, { resolve, reject, onEvent, isAlive })
          isAlive()
          signal?.addEventListener('abort', cancel, { once: true })
          send(replica, { type: 'call', call, from: id, kind, payload }).catch(reject)
        })
      } finally {
        clearTimeout(timer)
        waiting.delete(call)
        signal?.removeEventListener('abort', cancel)
      }
    },
    async close() {
      isClosed = true
      stop()
      for (const controller of running.values()) controller.abort()
      for (const { reject } of waiting.values()) reject(new ReplicaGoneError('Closed.'))
    },
  }
}

function channelOf(replica: string): string {
  return `replica:${replica}`
}
