import type { EventStore } from '@modelcontextprotocol/server'
import { createMemoryState } from '../../state/memory-state.ts'
import type { SharedState } from '../../state/shared-state.ts'

/** The events of response streams, from which a client continues a stream that broke. */
export interface StreamEvents {
  /** The events of one session. Ids of other sessions mean nothing in it. */
  ofSession(id: string): EventStore
}

/** A client that lost its stream comes back within seconds. */
const EVENT_MS = 5 * 60_000
/** The first event of a stream carries no message: it says that the stream exists, for as long as a call may run. */
const FIRST_EVENT_MS = 3_600_000
const MAX_CHARS = 20_000_000
const EVENT_ID = /^([\da-f-]{36})\.(\d{1,9})$/

/**
 * Keeps events in the state that replicas share, or in the memory of this process, where the oldest events
 * are dropped if they take too much space.
 *
 * Each event has a key of its own, made of session, stream and number, so that only the replica that runs
 * the call counts. Another replica replays what is there and ends the stream; the client then asks again.
 */
export function createStreamEvents(shared: SharedState | undefined): StreamEvents {
  const state = shared?.isShared ? shared : createMemoryState({ capacity: MAX_CHARS })

  return {
    ofSession(session) {
      const counts = new Map<string, number>()
      const keyOf = (stream: string, number: number) => `event:${session}:${stream}:${number}`

      return {
        async storeEvent(stream, message) {
          // Notifications outside of requests are not replayed: they only say that a list has changed.
          if (!EVENT_ID.test(`${stream}.0`)) return ''
          const number = counts.get(stream) ?? 0
          counts.set(stream, number + 1)
          if (isLast(message)) counts.delete(stream)
          const keepMs = number === 0 ? FIRST_EVENT_MS : EVENT_MS
          try {
            await state.set(keyOf(stream, number), JSON.stringify(message), keepMs)
          } catch {
            // The message still reaches a client that is connected.
            return ''
          }
          return `${stream}.${number}`
        },
        async getStreamIdForEventId(id) {
          const [, stream, number] = EVENT_ID.exec(id) ?? []
          if (stream === undefined) return undefined
          const isKnown = (await state.get(keyOf(stream, Number(number)))) !== undefined
          return isKnown ? stream : undefined
        },
        async replayEventsAfter(id, { send }) {
          const [, stream = '', number] = EVENT_ID.exec(id) ?? []
          for (let next = Number(number) + 1; ; next++) {
            const text = await state.get(keyOf(stream, next))
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
