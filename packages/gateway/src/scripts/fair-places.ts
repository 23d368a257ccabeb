import type { CancelSignal } from '../protocol/cancellation.ts'

/** A limited number of places, shared fairly between people. */
export interface FairPlaces {
  /**
   * Waits for a place. Resolves to a function that releases it. Rejects if too many scripts wait, if the
   * signal is aborted, or after `close`.
   *
   * @param person gets at most half of the places. Undefined if all scripts are of the same person.
   */
  take(person: string | undefined, signal?: CancelSignal): Promise<() => void>
  /** Rejects all scripts that wait, now and later. */
  close(): void
}

export interface FairPlacesOptions {
  readonly places: number
  /** How many scripts can wait, half of them of the same person. */
  readonly maxWaiting: number
}

interface Waiting {
  readonly enter: (leave: () => void) => void
  readonly refuse: (error: Error) => void
}

/** Not an id of a person: those contain a space. */
const NO_PERSON = ''

/** Waiting scripts get places in turn: one of each person, in the order of their arrival. */
export function createFairPlaces({ places, maxWaiting }: FairPlacesOptions): FairPlaces {
  const taken = new Map<string, number>()
  /** Waiting scripts by person. The person whose turn is next comes first. */
  const queues = new Map<string, Waiting[]>()
  let isClosed = false

  const sum = (counts: Iterable<number>) => [...counts].reduce((total, each) => total + each, 0)
  const waitingOf = (person: string) => queues.get(person)?.length ?? 0
  const shareOf = (person: string, all: number) =>
    person === NO_PERSON ? all : Math.max(1, Math.floor(all / 2))

  function hasPlace(person: string): boolean {
    return sum(taken.values()) < places && (taken.get(person) ?? 0) < shareOf(person, places)
  }

  /** Takes a place, and returns a function that releases it. */
  function enter(person: string): () => void {
    taken.set(person, (taken.get(person) ?? 0) + 1)
    return () => {
      const left = taken.get(person)! - 1
      if (left === 0) taken.delete(person)
      else taken.set(person, left)
      serveNext()
    }
  }

  function serveNext(): void {
    const next = [...queues.keys()].find(hasPlace)
    if (next === undefined) return
    const [first, ...rest] = queues.get(next)!
    queues.delete(next)
    if (rest.length > 0) queues.set(next, rest)
    first!.enter(enter(next))
  }

  function refusal(person: string): string | undefined {
    if (isClosed) return CLOSING
    if (sum([...queues.values()].map((queue) => queue.length)) >= maxWaiting) {
      return 'Too many scripts are running. Try again in a minute.'
    }
    return waitingOf(person) >= shareOf(person, maxWaiting)
      ? 'Too many of your scripts are running. Try again when one of them has ended.'
      : undefined
  }

  return {
    async take(person = NO_PERSON, signal) {
      if (!isClosed && waitingOf(person) === 0 && hasPlace(person)) return enter(person)
      const refused = refusal(person)
      if (refused !== undefined) throw new Error(refused)
      return new Promise((resolve, reject) => {
        const stopWaiting = () => {
          const others = queues.get(person)!.filter((each) => each !== waiting)
          if (others.length === 0) queues.delete(person)
          else queues.set(person, others)
          reject(new Error(CANCELLED))
        }
        const waiting: Waiting = {
          enter(leave) {
            signal?.removeEventListener('abort', stopWaiting)
            resolve(leave)
          },
          refuse: reject,
        }
        if (signal?.aborted) return reject(new Error(CANCELLED))
        queues.set(person, [...(queues.get(person) ?? []), waiting])
        signal?.addEventListener('abort', stopWaiting, { once: true })
      })
    },
    close() {
      isClosed = true
      const all = [...queues.values()].flat()
      queues.clear()
      for (const { refuse } of all) refuse(new Error(CLOSING))
    },
  }
}

/** The message to a script that the client cancels. */
export const CANCELLED = 'The script was cancelled.'
/** The message to a script that ends with the gateway. */
export const CLOSING = 'The gateway is closing.'
