import { session as checkSession } from '../options/check-option.ts'
import type { ToolOutput } from '../outputs/output-part.ts'
import { readOutput } from '../outputs/read-output.ts'
import type { Session, TurnOptions } from '../session/session.ts'
import type { RunOptions } from '../session/session-calls.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'
import type { RunnableCall, RunResult } from '../tool-search/call-result.ts'
import { callTool, unwrapCall } from '../tool-search/call-tool.ts'
import { resultFormat } from '../tool-search/result-format.ts'
import type { SearchTool } from '../tool-search/search-behaviour.ts'

/**
 * Tool search through two tools whose definitions never change: the model finds tools with one and
 * calls them with the other. Works with any model and any framework that lets you add two tools.
 */
export interface Bridge {
  /** The tool with which the model finds tools. Give `search` its input. */
  readonly searchTool: SearchTool
  /** The tool with which the model calls what it found. Give `call` or `check` its input. */
  readonly callTool: SearchTool
  /** Plans the next request. Call it once per request. */
  announce(options?: Pick<TurnOptions, 'usedTokens'>): Promise<Announced>
  /** Answers a call to the search tool. The result has the schemas of the tools it found. */
  search(input: unknown): Promise<BridgeAnswer>
  /**
   * Checks a call to `callTool` without running it, for frameworks that run tools themselves:
   * either an answer for the model, or the tool and its validated arguments.
   */
  check(input: unknown): Promise<BridgeAnswer | RunnableCall>
  /**
   * Checks a call to `callTool` and runs the tool. If the tool has no `execute`, the result is the
   * tool and its validated arguments, as with `check`.
   */
  call(input: unknown, options?: RunOptions): Promise<BridgeAnswer | RunnableCall>
}

/** What the next request needs besides the two tools. */
export interface Announced {
  /** A block for the system prompt. Identical in every request. */
  readonly system?: string
  /** News about added and removed tools. Append it to the conversation; it comes only once. */
  readonly notice?: string
  /** Tools to list in full next to the two, because they are never hidden. */
  readonly tools: readonly ToolText[]
  /** Whether any tool is hidden. If not, the two tools are not needed. */
  readonly isActive: boolean
}

/** What the model reads as the result of a call. */
export interface BridgeAnswer extends ToolOutput {
  readonly kind: 'answer'
  /** The result as text. */
  readonly text: string
  /** What the tool returned or threw, if it ran. */
  readonly output?: unknown
}

export interface BridgeOptions {
  /**
   * Where news about added and removed tools goes: `messages` returns it from `announce`; `results`
   * adds it to the next answer, for frameworks that cannot append a message to the history.
   * @default 'messages'
   */
  readonly news?: 'messages' | 'results'
}

const result = resultFormat({ detail: 'schemas', again: true })

/**
 * @example
 * const bridge = createBridge(session)
 * // give the framework bridge.searchTool and bridge.callTool, then answer their calls:
 * await bridge.search({ query: 'weather' })
 * await bridge.call({ name: 'weather_now', arguments: { city: 'Ulm' } })
 *
 * @throws InvalidOptionError
 */
export function createBridge(session: Session, { news = 'messages' }: BridgeOptions = {}): Bridge {
  checkSession(session, 'session')
  let pendingNews: string | undefined

  return {
    searchTool: session.searchTool,
    callTool: callTool(session.searchTool.name),

    async announce(options = {}) {
      // a loaded tool is in the search result that found it, so it is never listed
      const revealed = new Set(session.loaded)
      const { system, notice, tools, searchTool } = await session.turn({
        ...options,
        appendOnly: { revealed, hiddenAs: 'absent' },
      })
      if (news === 'results' && notice !== undefined) {
        pendingNews = pendingNews === undefined ? notice : `${pendingNews}\n\n${notice}`
      }
      return {
        ...(system !== undefined && { system }),
        ...(news === 'messages' && notice !== undefined && { notice }),
        tools: tools.filter((tool) => tool !== searchTool),
        isActive: searchTool !== undefined,
      }
    },

    async search(input) {
      const { answer } = await session.search(input, { result })
      return toAnswer(answer.text, answer.isError)
    },

    async check(input) {
      return toBridgeResult(await session.answer(unwrap(input)))
    },

    async call(input, options) {
      return toBridgeResult(await session.run(unwrap(input), options))
    },
  }

  function unwrap(input: unknown) {
    return unwrapCall({ name: callTool('').name, arguments: input })
  }

  function toBridgeResult(done: RunResult): BridgeAnswer | RunnableCall {
    if (done.kind === 'run') return done
    if (done.kind === 'answered') return toAnswer(done.text, done.isError)
    const { text, isError } = done
    return withNews({
      kind: 'answer',
      ...readOutput(done.output),
      text,
      isError,
      output: done.output,
    })
  }

  function toAnswer(text: string, isError: boolean): BridgeAnswer {
    return withNews({ kind: 'answer', text, parts: [{ type: 'text', text }], isError })
  }

  function withNews(answer: BridgeAnswer): BridgeAnswer {
    if (pendingNews === undefined) return answer
    const text = pendingNews
    pendingNews = undefined
    return {
      ...answer,
      text: `${answer.text}\n\n${text}`,
      parts: [...answer.parts, { type: 'text', text }],
    }
  }
}
