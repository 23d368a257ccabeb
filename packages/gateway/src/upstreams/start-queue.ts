import { availableParallelism } from 'node:os'

/**
 * Lets only a few server processes start at the same time. Starting a program keeps a core busy for a
 * second or more, so that servers which all start at once would exceed their timeouts.
 */
export interface StartQueue {
  /** Joins the queue. */
  enter(): StartTicket
}

/** The place of one server in the queue. */
export interface StartTicket {
  /** Resolves when the server may start, or when its ticket has ended. */
  readonly turn: Promise<void>
  /** Moves to the front of the queue, because somebody waits for the server. */
  hurry(): void
  /** The server has started or failed, or no longer wants to start. */
  end(): void
}

export interface StartQueueOptions {
  /** @default the number of cores, at least 2 */
  readonly size?: number
  /**
   * After this time, the next server starts as well: a server that takes this long probably waits for
   * something else than a core, such as a download. @default 5_000
   */
  readonly holdMs?: number
}

export function createStartQueue({
  size = Math.max(2, availableParallelism()),
  holdMs = 5_000,
}: StartQueueOptions = {}): StartQueue {
  const waiting: { begin(): void }[] = []
  let running = 0

  function beginNext(): void {
    while (running < size && waiting.length > 0) {
      running++
      waiting.shift()!.begin()
    }
  }

  return {
    enter() {
      let begin = () => {}
      let timer: NodeJS.Timeout | undefined
      let holds = false
      const turn = new Promise<void>((resolve) => {
        begin = () => {
          holds = true
          timer = setTimeout(release, holdMs).unref()
          resolve()
        }
      })
      const entry = { begin }
      const leave = () => {
        const at = waiting.indexOf(entry)
        if (at >= 0) waiting.splice(at, 1)
        return at >= 0
      }
      function release(): void {
        clearTimeout(timer)
        if (!holds) return
        holds = false
        running--
        beginNext()
      }
      waiting.push(entry)
      beginNext()
      return {
        turn,
        hurry() {
          if (leave()) waiting.unshift(entry)
        },
        end() {
          if (leave()) {
            running++
            entry.begin()
          }
          release()
        },
      }
    },
  }
}
