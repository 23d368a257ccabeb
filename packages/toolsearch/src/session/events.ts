import type { Tool } from '../catalogue/tool.ts'
import type { RunResult } from '../tool-search/call-result.ts'
import type { Answer } from '../tool-search/search-answer.ts'
import type { SearchOutcome } from '../tool-search/search-outcome.ts'
import type { ToolCall } from '../tool-search/tool-call.ts'

/**
 * Handlers for what happens in conversations: in one (`toolSearch.session(id, { onLoaded })`, also
 * inherited by its forks) or in all (`createToolSearch({ onLoaded })`).
 *
 * - **When:** after the change is stored, and before the method that caused it resolves.
 * - **Order:** for one call, `onSearch`, then `onLoaded`, then `onCall`. The conversation's handler of
 *   an event runs before the one for all conversations.
 * - **Waiting:** if a handler returns a promise, the next handler and the method wait for it. A
 *   handler may call methods of the session.
 * - **Errors:** if a handler throws, the remaining handlers still run. The method then rejects with
 *   the first error; what was stored stays stored.
 */
export interface ToolSearchEvents {
  /**
   * A search ran or was refused, through the search tool or `session.search`. Also reported by `turn`
   * if `expect` has loaded tools.
   */
  onSearch?: ((event: SearchEvent) => void | Promise<void>) | undefined
  /** The conversation loaded tools that it had not loaded before. A fork's copies do not count. */
  onLoaded?: ((event: LoadedEvent) => void | Promise<void>) | undefined
  /**
   * A call has a result. `run` reports each call as soon as its result is known, so calls that run at
   * the same time report in the order in which they finish. `answer` reports a valid call as `run`,
   * and `execute` reports the same call again as `executed`.
   */
  onCall?: ((event: CallEvent) => void | Promise<void>) | undefined
  /**
   * Reported by `turn`: loaded tools that left the catalogue, or that this conversation may no longer
   * use, since its last turn in this process.
   */
  onRemoved?: ((event: RemovedEvent) => void | Promise<void>) | undefined
}

export interface SearchEvent {
  readonly sessionId: string
  readonly outcome: SearchOutcome
  /** For `expect`, its text is the notice of the turn about the loaded tools. */
  readonly answer: Answer
  /** `expect`: `turn` searched with the user's words. Only the loaded tools are hits. */
  readonly by: 'search' | 'expect'
}

export interface LoadedEvent {
  readonly sessionId: string
  readonly tools: readonly Tool[]
  /** `load` includes a forced tool choice. */
  readonly by: 'search' | 'expect' | 'call' | 'load' | 'rebuild'
}

export interface CallEvent {
  readonly sessionId: string
  readonly call: ToolCall
  readonly result: RunResult
}

export interface RemovedEvent {
  readonly sessionId: string
  readonly names: readonly string[]
}

/** The handlers among other options. */
export function eventsIn({
  onSearch,
  onLoaded,
  onCall,
  onRemoved,
}: ToolSearchEvents): ToolSearchEvents {
  return { onSearch, onLoaded, onCall, onRemoved }
}

/** Calls all handlers of an event. Never rejects. */
export type Report = <Name extends keyof ToolSearchEvents>(
  name: Name,
  event: Omit<Parameters<NonNullable<ToolSearchEvents[Name]>>[0], 'sessionId'>,
) => Promise<void>

/**
 * Runs the work of one method. Errors of handlers must not interrupt it, so they are collected and
 * the first one is thrown at the end.
 */
export async function reporting<Result>(
  sessionId: string,
  handlers: readonly ToolSearchEvents[],
  work: (report: Report) => Promise<Result>,
): Promise<Result> {
  const errors: unknown[] = []
  const result = await work(async (name, event) => {
    for (const handler of handlers) {
      try {
        await handler[name]?.({ sessionId, ...event } as never)
      } catch (error) {
        errors.push(error)
      }
    }
  })
  if (errors.length > 0) throw errors[0]
  return result
}
