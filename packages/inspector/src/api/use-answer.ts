import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { isLocking } from './api-failure.ts'
import type { Client } from './client.ts'
import { useGateway } from './gateway-context.ts'
import { createLatestRequest } from './latest-request.ts'
import { createThrottle } from './throttle.ts'

/** The state of a request. The previous value stays until a newer one arrives. */
export interface Answer<T> {
  readonly value: T | undefined
  readonly error: unknown
  /** The value does not belong to the current key yet. */
  readonly isPending: boolean
  /** Fetches again, at most twice a second. */
  reload(): void
  /** Changes the value without a request, such as after an event. */
  update(change: (value: T) => T): void
}

type Known<T> = Pick<Answer<T>, 'value' | 'error'> & { readonly key: string | undefined }

/**
 * Sends a request whenever the key changes, and never replaces a newer answer with an older one.
 * Sends nothing without a key. Everything the answer depends on must be part of the key.
 */
export function useAnswer<T>(
  key: string | undefined,
  ask: (client: Client, signal: AbortSignal) => Promise<T>,
): Answer<T> {
  const { client, epoch, lock } = useGateway()
  const [known, setKnown] = useState<Known<T>>(unknown)
  const [attempt, setAttempt] = useState(0)
  const currentKey = key === undefined ? undefined : `${epoch} ${key}`

  const latest = useMemo(() => {
    let sentKey: string | undefined
    const { send, repeat, cancel, isInProgress } = createLatestRequest<T>((outcome) => {
      if (outcome.kind === 'answer') {
        setKnown({ value: outcome.value, error: undefined, key: sentKey })
      } else {
        if (isLocking(outcome.error)) lock(outcome.error)
        setKnown(({ value }) => ({ value, error: outcome.error, key: sentKey }))
      }
    })
    return {
      cancel,
      isInProgress,
      send(key: string, request: (signal: AbortSignal) => Promise<T>) {
        const isSame = key === sentKey
        sentKey = key
        if (isSame) repeat(request)
        else send(request)
      },
    }
  }, [lock])

  // `ask` is not a dependency: the key stands for it. `attempt` triggers a reload.
  useEffect(() => {
    if (currentKey === undefined) {
      latest.cancel()
      setKnown(unknown)
    } else latest.send(currentKey, (signal) => ask(client, signal))
  }, [currentKey, attempt, client, latest])
  useEffect(() => latest.cancel, [latest])

  const throttle = useMemo(() => createThrottle(() => setAttempt((last) => last + 1), 500), [])
  useEffect(() => throttle.cancel, [throttle])
  const update = useCallback(
    (change: (value: T) => T) => {
      setKnown((last) => (last.value === undefined ? last : { ...last, value: change(last.value) }))
      // The request in progress may return an older value.
      if (latest.isInProgress()) throttle.call()
    },
    [latest, throttle],
  )
  return {
    value: known.value,
    error: known.error,
    isPending: currentKey !== undefined && known.key !== currentKey,
    reload: throttle.call,
    update,
  }
}

const unknown = { value: undefined, error: undefined, key: undefined }
