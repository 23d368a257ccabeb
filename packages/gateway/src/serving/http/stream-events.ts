import type { EventStore } from '@modelcontextprotocol/server'
import { createOwnedValues } from '../../state/owned-values.ts'
import type { SharedState } from '../../state/shared-state.ts'

/** The events of response streams, from which a client continues a stream that broke. */
export interface StreamEvents {
  /** The events of a person's session. Ids of other sessions mean nothing in it. */
  ofSession(id: string, person: string): EventStore
}

/** A client that lost its stream comes back within seconds. */
const EVENT_MS = 5 * 60_000
/** The first event of a stream carries no message: it says that the stream exists, for as long as a call may run. */
const FIRST_EVENT_MS = 3_600_000
const MAX_CHARS = 20_000_000
const EVENT_ID = /^([\da-f-]{36})\.(\d{1,9})$/

/**
 * Keeps events in the state that replicas share, or in the memory of this process. If they take too much space, the
 * person whose events take the most loses the oldest.
 *
 * Each event has a key of its own, made of session, stream and number, so that only the replica that runs
 * the call counts. Another replica replays what is there and ends the stream; the client then asks again.
 */
export function createStreamEvents(shared: SharedState | undefined): StreamEvents {
  const events = createOwnedValues(shared, { kind: 'event', capacity: MAX_CHARS })

  return {
    ofSession(session, person) {
      const counts = new Map<string, number>()
      const keyOf = (stream: string, number: number) => `${session}:${stream}:${number}`

      return {
        async storeEvent(stream, message) {
          // Notifications outside of requests are not replayed: they only say that a list has changed.
          if (!EVENT_ID.test(`${stream}.0`)) return ''
          const number = counts.get(stream) ?? 0
          counts.set(stream, number + 1)
          if (isLast(message)) counts.delete(stream)
          const ttlMs = number === 0 ? FIRST_EVENT_MS : EVENT_MS
          try {
            const about = { owner: person, ttlMs }
            await events.set(keyOf(stream, number), JSON.stringify(message), about)
          } catch {
            // The message still reaches a client that is connected.
            return ''
          }
          return `${stream}.${number}`
        },
        async getStreamIdForEventId(id) {
          const [, stream, number] = EVENT_ID.exec(id) ?? []
          if (stream === undefined) return undefined
          const isKnown = (await events.get(keyOf(stream, Number(number)))) !== undefined
          return isKnown ? stream : undefined
        },
        async replayEventsAfter(id, { send }) {
          const [, stream = '', number] = EVENT_ID.exec(id) ?? []
          for (let next = Number(number) + 1; ; next++) {
            const text = await events.get(keyOf(stream, next))
            if (text === undefined) return stream
            await send(`${stream}.${next}`, JSON.parse(text))
          }
        },
      }
    },
  }
}

/** Whether a message is the response, after which a stream ends. */
function isLast(message: object): boolean {
  return 'result' in message || 'error' in message
}
