import { deleteOldest } from '../delete-oldest.ts'
import {
  type Check,
  checkOptions,
  session as checkSession,
  oneOf,
} from '../options/check-option.ts'
import type { ToolOutput } from '../outputs/output-part.ts'
import { partsText } from '../outputs/parts-text.ts'
import { readOutput } from '../outputs/read-output.ts'
import { resultFor } from '../session/result-for.ts'
import type { Session, TurnOptions } from '../session/session.ts'
import type { RunOptions } from '../session/session-calls.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'
import type { RunnableCall, RunResult } from '../tool-search/call-result.ts'
import { CALL_TOOL_NAME, callTool, unwrapCall } from '../tool-search/call-tool.ts'
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
  /**
   * Plans the next request. Call it once per request. With `expect`, `notice` also describes the tools
   * that surely fit what the user said.
   */
  planRequest(options?: BridgePlanOptions): Promise<BridgePlan>
  /**
   * Answers a call to the search tool. The result has the schemas of the tools it found, in the format
   * of the preset or of the option `result`, if they have one.
   */
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
  call(input: unknown, options?: BridgeCallOptions): Promise<BridgeAnswer | RunnableCall>
  /**
   * Runs a call after `check`, for example when a person approved it. If the tool has no `execute`,
   * the answer is an error that says so.
   */
  execute(checked: RunnableCall, options?: BridgeCallOptions): Promise<BridgeAnswer>
  /** The answer for a call that you ran yourself. Takes what the tool returned or threw. */
  answer(output: unknown): BridgeAnswer
}

/** What the next request needs besides the two tools. */
export interface BridgePlan {
  /** A block for the system prompt. Identical in every request. */
  readonly system?: string
  /** News about tools. Append it to the conversation; it comes only once. */
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
  /** The news at the end of `text` and `parts`, with `news: 'results'`. */
  readonly news?: string
}

interface BridgeCallOptions extends RunOptions {
  /** The framework's id of the call. `execute` of the tool receives it. */
  readonly callId?: string
}

export interface BridgeOptions {
  /**
   * Where news about added and removed tools goes: `messages` returns it from `planRequest`; `results`
   * adds it to the next answer, for frameworks that cannot append a message to the history.
   * @default 'messages'
   */
  readonly news?: 'messages' | 'results'
}

/** A bridge for frameworks that ask for the plan of a request several times, or open the session again. */
export interface FrameworkBridge extends Bridge {
  /**
   * The plan of the current request, which is planned once. It ends with `planRequest`, which plans the
   * next one, or with `sent`. Its news waits for the next `planRequest` or answer.
   */
  currentPlan(options?: BridgePlanOptions): Promise<BridgePlan>
  /** Ends the current request. Returns its plan, if there is one. */
  sent(): Promise<BridgePlan> | undefined
  /** News that the model has not got yet. */
  takeNews(): string | undefined
}

type BridgePlanOptions = Pick<TurnOptions, 'usedTokens' | 'expect'>

/** What the bridges of a conversation share, by the id of its session. */
export type Conversations = Map<string, Conversation>

interface Conversation {
  plan?: Promise<BridgePlan> | undefined
  news?: string | undefined
}

const MAX_CONVERSATIONS = 1_000

const OPTIONS = {
  news: oneOf<NonNullable<BridgeOptions['news']>>({ messages: true, results: true }),
} satisfies Record<keyof BridgeOptions, Check>

/** The result that found a tool contains its schema, so the list does not. */
export const BRIDGED: NonNullable<TurnOptions['appendOnly']> = {
  reveal: 'call-tool',
  revealed: 'loaded',
}

/**
 * @example
 * const bridge = createBridge(session)
 * // give the framework bridge.searchTool and bridge.callTool, then answer their calls:
 * await bridge.search({ query: 'weather' })
 * await bridge.call({ name: 'weather_now', arguments: { city: 'Ulm' } })
 *
 * @throws InvalidOptionError
 */
export function createBridge(session: Session, options: BridgeOptions = {}): Bridge {
  checkOptions(options, 'options', OPTIONS)
  return openBridge(session, options)
}

/**
 * Opens another bridge of a conversation, if `conversations` is the same.
 *
 * @throws InvalidOptionError
 */
export function openBridge(
  session: Session,
  { news = 'messages' }: BridgeOptions = {},
  conversations: Conversations = new Map(),
): FrameworkBridge {
  checkSession(session, 'session')
  const { id } = session
  const conversation = conversations.get(id) ?? {}
  conversations.delete(id)
  conversations.set(id, conversation)
  deleteOldest(conversations, MAX_CONVERSATIONS)
  const result = resultFor(session, 'call-tool')

  return {
    searchTool: session.searchTool,
    callTool: callTool(session.searchTool.name),

    async planRequest(options) {
      const planned = await plan(options)
      const notice = news === 'messages' ? takeNews() : undefined
      return notice === undefined ? planned : { ...planned, notice }
    },

    currentPlan: (options) => conversation.plan ?? plan(options),

    sent() {
      const { plan } = conversation
      conversation.plan = undefined
      return plan
    },

    takeNews,

    async search(input) {
      const { answer } = await session.search(input, result && { result })
      return toAnswer(answer.text, answer.isError)
    },

    async check(input) {
      return toBridgeResult(await session.answer(unwrap(input)))
    },

    async call(input, { callId: id, ...options } = {}) {
      const call = { ...unwrap(input), ...(id !== undefined && { id }) }
      return toBridgeResult(await session.run(call, options))
    },

    async execute(checked, { callId: id, ...options } = {}) {
      const call = id === undefined ? checked : { ...checked, id }
      const done = toBridgeResult(await session.execute(call, options))
      if (done.kind === 'answer') return done
      return toAnswer(
        `The tool "${done.tool.name}" cannot run here: it has no execute function.`,
        true,
      )
    },

    answer(output) {
      const { parts, isError } = readOutput(output)
      return withNews({ kind: 'answer', text: partsText(parts), parts, isError, output })
    },
  }

  function plan(options?: BridgePlanOptions): Promise<BridgePlan> {
    const planned = readPlan(options)
    conversation.plan = planned
    planned.catch(() => {
      if (conversation.plan === planned) conversation.plan = undefined
    })
    return planned
  }

  async function readPlan(options?: BridgePlanOptions): Promise<BridgePlan> {
    const turn = await session.turn({ ...options, appendOnly: BRIDGED })
    const { system, notice, tools, searchTool } = turn
    if (notice !== undefined) {
      const { news } = conversation
      conversation.news = news === undefined ? notice : `${news}\n\n${notice}`
    }
    return {
      ...(system !== undefined && { system }),
      tools: tools.filter((tool) => tool !== searchTool),
      isActive: searchTool !== undefined,
    }
  }

  function takeNews(): string | undefined {
    const { news } = conversation
    conversation.news = undefined
    return news
  }

  function unwrap(input: unknown) {
    return unwrapCall({ name: CALL_TOOL_NAME, arguments: input })
  }

  function toBridgeResult(done: RunResult): BridgeAnswer | RunnableCall {
    if (done.kind === 'run') return done
    if (done.kind === 'answered') return toAnswer(done.text, done.isError)
    const { text, parts, isError, output } = done
    return withNews({ kind: 'answer', text, parts, isError, output })
  }

  function toAnswer(text: string, isError: boolean): BridgeAnswer {
    return withNews({ kind: 'answer', text, parts: [{ type: 'text', text }], isError })
  }

  function withNews(answer: BridgeAnswer): BridgeAnswer {
    const added = news === 'results' ? takeNews() : undefined
    if (added === undefined) return answer
    return {
      ...answer,
      text: `${answer.text}\n\n${added}`,
      parts: [...answer.parts, { type: 'text', text: added }],
      news: added,
    }
  }
}
