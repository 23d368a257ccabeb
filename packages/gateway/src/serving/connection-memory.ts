/** What a legacy connection remembers between requests, as plain data. */
export interface Remembered {
  /** The tools that searches have found, in mode `dynamic`. */
  readonly found: readonly string[]
  /** The log level that the client has set. */
  readonly level?: string
  /** The URIs of the resources that the client has subscribed to. */
  readonly subscriptions: readonly string[]
}

const NOTHING_REMEMBERED: Remembered = { found: [], subscriptions: [] }

/** The memory of one connection. Replicas that serve the same session share it. */
export interface ConnectionMemory {
  readonly values: Remembered
  /**
   * Changes the values, here at once and then for the other replicas. Never rejects: if they cannot be
   * reached, the change remains here.
   */
  change(change: (before: Remembered) => Remembered): Promise<void>
  /** Resolves when the changes so far are stored. Undefined if there are none to wait for. */
  readonly saving: Promise<void> | undefined
  /** Reads what other replicas have changed. */
  refresh(): Promise<void>
  /** Takes over what another replica has stored. */
  replace(values: Remembered): void
  /** Runs when another replica has changed something. */
  onReplaced: ((values: Remembered, before: Remembered) => void) | undefined
  /** How to reach what the replicas share. @default nothing is shared */
  shared: SharedMemory | undefined
}

interface SharedMemory {
  /** Applies a change to the stored values, and resolves to the result. */
  save(change: (before: Remembered) => Remembered): Promise<Remembered | undefined>
  load(): Promise<Remembered | undefined>
}

/** Limits for what one client can make the gateway remember. The oldest are forgotten. */
const MAX_FOUND = 2_000
const MAX_SUBSCRIPTIONS = 1_000

export function addFound(before: Remembered, names: readonly string[]): Remembered {
  const found = [...new Set([...before.found, ...names])].slice(-MAX_FOUND)
  return found.length === before.found.length ? before : { ...before, found }
}

export function addSubscription(before: Remembered, uri: string): Remembered {
  if (before.subscriptions.includes(uri)) return before
  return { ...before, subscriptions: [...before.subscriptions, uri].slice(-MAX_SUBSCRIPTIONS) }
}

export function removeSubscription(before: Remembered, uri: string): Remembered {
  if (!before.subscriptions.includes(uri)) return before
  return { ...before, subscriptions: before.subscriptions.filter((each) => each !== uri) }
}

// Module state, because the code that keeps sessions knows only the SDK's server.
const memories = new WeakMap<object, ConnectionMemory>()

/** The memory of a connection, which is empty at first. */
export function memoryOf(connection: object): ConnectionMemory {
  const found = memories.get(connection)
  if (found) return found
  const memory = createConnectionMemory()
  memories.set(connection, memory)
  return memory
}

/** For a list that belongs to no connection. */
export function createConnectionMemory(): ConnectionMemory {
  let values = NOTHING_REMEMBERED
  let saving: Promise<void> | undefined

  const memory: ConnectionMemory = {
    get values() {
      return values
    },
    get saving() {
      return saving
    },
    change(change) {
      const after = change(values)
      if (after === values) return saving ?? Promise.resolve()
      values = after
      const { shared } = memory
      if (!shared) return Promise.resolve()
      const saved: Promise<void> = Promise.all([shared.save(change), saving])
        .catch(() => [])
        .then(([stored]) => {
          // What was stored first does not contain the changes after it.
          if (saving !== saved) return
          saving = undefined
          if (stored) memory.replace(stored)
        })
      saving = saved
      return saved
    },
    async refresh() {
      await saving
      const stored = await memory.shared?.load().catch(() => undefined)
      if (stored && !saving) memory.replace(stored)
    },
    replace(stored) {
      const before = values
      values = stored
      if (JSON.stringify(before) !== JSON.stringify(stored)) memory.onReplaced?.(stored, before)
    },
    onReplaced: undefined,
    shared: undefined,
  }
  return memory
}
