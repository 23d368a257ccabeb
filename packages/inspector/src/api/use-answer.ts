import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { ApiFailure } from './api-failure.ts'
import type { Client } from './client.ts'
import { useGateway } from './gateway-context.ts'
import { createLatest } from './latest.ts'
import { createSoon } from './soon.ts'

/** What is known of an answer. An earlier value stays until there is a newer one. */
export interface Answer<T> {
  readonly value: T | undefined
  readonly error: unknown
  /** The value is not, or not yet, that of the present question. */
  readonly isPending: boolean
  /** Asks again, not more often than twice a second. */
  reload(): void
  /** Puts in what is known from elsewhere, such as from an event. */
  amend(change: (value: T) => T): void
}

type Known<T> = Pick<Answer<T>, 'value' | 'error'> & { readonly key: string | undefined }

/**
 * Asks the gateway whenever the key is another, and never shows an older answer over a newer one.
 * Without a key nothing is asked. What an answer depends on must be in the key.
 */
export function useAnswer<T>(
  key: string | undefined,
  ask: (client: Client, signal: AbortSignal) => Promise<T>,
): Answer<T> {
  const { client, epoch, lock } = useGateway()
  const [known, setKnown] = useState<Known<T>>(unknown)
  const [round, setRound] = useState(0)
  const asked = key === undefined ? undefined : `${epoch} ${key}`

  const latest = useMemo(() => {
    let subject: string | undefined
    const { ask, askAgain, end } = createLatest<T>((outcome) => {
      if (outcome.kind === 'answer') {
        setKnown({ value: outcome.value, error: undefined, key: subject })
      } else {
        if (outcome.error instanceof ApiFailure && outcome.error.code === 'token') lock()
        setKnown(({ value }) => ({ value, error: outcome.error, key: subject }))
      }
    })
    return {
      end,
      ask(about: string, request: (signal: AbortSignal) => Promise<T>) {
        const isSame = about === subject
        subject = about
        if (isSame) askAgain(request)
        else ask(request)
      },
    }
  }, [lock])

  // the key stands for the question, and the round for asking again
  useEffect(() => {
    if (asked === undefined) {
      latest.end()
      setKnown(unknown)
    } else latest.ask(asked, (signal) => ask(client, signal))
  }, [asked, round, client, latest])
  useEffect(() => latest.end, [latest])

  const soon = useMemo(() => createSoon(() => setRound((last) => last + 1), 500), [])
  useEffect(() => soon.end, [soon])
  const amend = useCallback((change: (value: T) => T) => {
    setKnown((last) => (last.value === undefined ? last : { ...last, value: change(last.value) }))
  }, [])
  return {
    value: known.value,
    error: known.error,
    isPending: asked !== undefined && known.key !== asked,
    reload: soon.ask,
    amend,
  }
}

const unknown = { value: undefined, error: undefined, key: undefined }
