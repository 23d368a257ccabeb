import type { ConnectionMemory } from './connection-memory.ts'
import type { RunCall } from './run-call.ts'

export interface FollowMemoryOptions {
  /** Tools were found. */
  readonly onFound: () => void
  readonly onLevel: (level: string) => void
  readonly onSubscribed: (uri: string) => Promise<unknown>
  readonly onUnsubscribed: (uri: string) => Promise<unknown>
}

/** Applies what a client has done in the same session on another replica. */
export function followMemory(
  memory: ConnectionMemory,
  { onFound, onLevel, onSubscribed, onUnsubscribed }: FollowMemoryOptions,
): void {
  memory.onReplaced = (values, before) => {
    if (values.found.some((name) => !before.found.includes(name))) onFound()
    if (values.level !== undefined && values.level !== before.level) onLevel(values.level)
    // The other replica has told the client if this is not possible.
    for (const uri of values.subscriptions) {
      if (!before.subscriptions.includes(uri)) void onSubscribed(uri).catch(() => {})
    }
    for (const uri of before.subscriptions) {
      if (!values.subscriptions.includes(uri)) void onUnsubscribed(uri).catch(() => {})
    }
  }
}

/** Answers a call when the other replicas know what it has found. */
export function answerWhenSaved(memory: ConnectionMemory, runCall: RunCall): RunCall {
  return async (...call) => {
    const result = await runCall(...call)
    if (memory.saving) await memory.saving
    return result
  }
}
