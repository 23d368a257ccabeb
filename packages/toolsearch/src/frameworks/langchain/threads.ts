import { type BridgeAnswer, type Conversations, openBridge } from '../../bridge/bridge.ts'
import type { JsonSchema } from '../../catalogue/tool.ts'
import {
  type Check,
  callback,
  checkOptions,
  toolSearch as checkToolSearch,
  fail,
} from '../../options/check-option.ts'
import { errorText } from '../../outputs/output-text.ts'
import type { Session } from '../../session/session.ts'
import type { ToolText } from '../../tokens/tool-tokens.ts'
import type { RunnableCall } from '../../tool-search/call-result.ts'
import { argumentFields } from '../../tool-search/parse-arguments.ts'
import type { ToolSearch } from '../../toolsearch.ts'
import { lastUserText } from '../../transcript/user-text.ts'
import { checkExpect, type ExpectOption, expectedWords } from '../expect-option.ts'
import type {
  LangChainMessage,
  LangChainRun,
  LangChainTool,
  LangChainToolCall,
  NewUserMessage,
} from './langchain-shapes.ts'
import { originalOf } from './langchain-tools.ts'
import { read } from './read.ts'

export interface LangChainOptions {
  /**
   * Opens the session of a conversation. `id` is the `thread_id` of the run. Without one, it is the id
   * of the first message that is not a system message. Use it to restrict the tools by
   * `run.context`, or to give a subagent that shares the thread a session of its own, with another id.
   * @default (id) => toolSearch.session(id)
   */
  session?: (id: string, run: LangChainRun) => Session | Promise<Session>
  /**
   * Search with each message of the user, and describe the tools that surely fit before the model asks
   * for them. A function gets the message and returns the words to search with.
   * @default false
   */
  expect?: ExpectOption
}

/** A conversation, as one hook or node of a run sees it. */
export interface Thread {
  /** Plans the next request. Resolves to the news to append to the conversation. */
  planRequest(): Promise<NewUserMessage[]>
  /** What the current request needs: a block for the system prompt, and tools. */
  planned(): Promise<{ readonly system?: string; readonly tools: readonly ListedTool[] }>
  /** Handles a call to one of our tools. */
  call<RESULT>(call: LangChainToolCall, handlers: CallHandlers<RESULT>): Promise<RESULT>
}

interface CallHandlers<RESULT> {
  readonly signal: AbortSignal | undefined
  /** Returns what `work` resolves to. */
  reply(work: () => Promise<BridgeAnswer>): Promise<RESULT>
  /**
   * Runs a checked call under the name of the inner tool. `tool` is undefined if the catalogue has
   * neither a LangChain tool nor `execute` for it.
   */
  run(call: LangChainToolCall, tool: LangChainTool | undefined): Promise<RESULT>
}

/** A tool in the shape that every chat model of LangChain accepts, or a tool of LangChain. */
export type ListedTool = LangChainTool | FunctionTool

export interface FunctionTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonSchema
  }
}

const OPTIONS = { session: callback, expect: checkExpect } satisfies Record<
  keyof LangChainOptions,
  Check
>

/** @throws InvalidOptionError */
export function openThreads(
  toolSearch: ToolSearch,
  options: LangChainOptions,
): (messages: readonly LangChainMessage[], run?: LangChainRun) => Promise<Thread> {
  checkToolSearch(toolSearch, 'toolSearch')
  checkOptions(options, 'options', OPTIONS)
  const { session: openSession = (id) => toolSearch.session(id), expect = false } = options
  // LangChain opens the session again for each hook. Several sessions can share a thread.
  const conversations: Conversations = new Map()

  return async (messages, run = {}) => {
    const session = await openSession(conversationId(messages, run), run)
    const bridge = openBridge(session, {}, conversations)
    return { planRequest, planned, call }

    async function planRequest(): Promise<NewUserMessage[]> {
      await rebuild(messages)
      const { notice: content } = await bridge.planRequest({
        usedTokens: usedTokens(messages),
        ...expectedWords(expect, lastUserText(messages, read)),
      })
      if (content === undefined) return []
      return [{ role: 'user', content, additional_kwargs: { lc_source: 'toolsearch' } }]
    }

    /** For when the store lost the session, or another process had the conversation before. */
    async function rebuild(history: readonly LangChainMessage[]): Promise<void> {
      const hasResults = history.some(({ type }) => type === 'tool')
      if (session.loaded.length === 0 && hasResults) await session.rebuild(history, { read })
    }

    async function planned(): ReturnType<Thread['planned']> {
      const { system, tools, isActive } = await currentPlan()
      const own = isActive ? [bridge.searchTool, bridge.callTool].map(toFunction) : []
      const listed = tools.map((text) => originalOf(session.tool(text.name)) ?? toFunction(text))
      return { ...(system !== undefined && { system }), tools: [...own, ...listed] }
    }

    /** Planned by another process if the run started there. */
    function currentPlan(): ReturnType<typeof bridge.currentPlan> {
      return bridge.currentPlan({ usedTokens: usedTokens(messages) })
    }

    async function call<RESULT>(
      toolCall: LangChainToolCall,
      { signal, reply, run: runTool }: CallHandlers<RESULT>,
    ): Promise<RESULT> {
      const { name, args } = toolCall
      // Another process can resume a paused run with this call. The call itself must not count as one
      // that ran, so the reply it is part of is left out.
      const lastReply = messages.findLastIndex(({ type }) => type === 'ai')
      await rebuild(messages.slice(0, Math.max(lastReply, 0)))
      if (name === bridge.searchTool.name) return reply(() => bridge.search(args))
      const isWrapped = name === bridge.callTool.name
      const input = isWrapped ? args : { name, arguments: args }
      const { name: inner, arguments: given } = argumentFields(input)
      const tool = session.tool(String(inner))
      const isListed = (await currentPlan()).tools.some((listed) => listed.name === inner)
      // Approvals are set on the call tool, so a hidden tool must not run under its own name.
      const mayRun = isWrapped || isListed
      if (mayRun && tool?.execute) {
        return reply(async () => answerOf(await bridge.call(input, signal && { signal })))
      }
      const checked = await bridge.check(input)
      if (checked.kind === 'answer' || !mayRun) return reply(async () => answerOf(checked))
      const original = originalOf(checked.tool)
      // LangChain validates again, so its tools get the arguments without defaults and transforms.
      const final = original ? argumentFields(given) : checked.arguments
      try {
        const finalCall = { ...toolCall, type: 'tool_call', name: checked.tool.name, args: final }
        return await runTool(finalCall as LangChainToolCall, original)
      } catch (error) {
        const isPause = (error as { is_bubble_up?: unknown } | undefined)?.is_bubble_up === true
        if (isPause || signal?.aborted) throw error
        return reply(async () => toAnswer(errorText(error)))
      }
    }

    function answerOf(result: BridgeAnswer | RunnableCall): BridgeAnswer {
      if (result.kind === 'answer') return result
      const { name } = result.tool
      const { name: callTool } = bridge.callTool
      return toAnswer(
        `"${name}" was not called. Call it through ${callTool}, with "name" and "arguments".`,
      )
    }
  }
}

function conversationId(messages: readonly LangChainMessage[], run: LangChainRun): string {
  // programs often start all their conversations with the same system message object
  const first = messages.find(({ type }) => type !== 'system')
  const id = run.configurable?.thread_id ?? first?.id
  if (id !== undefined) return id
  const fix = 'pass one in the config of the run, or keep the messages in MessagesAnnotation, which'
  fail(id, 'configurable.thread_id', `${fix} gives them ids`)
}

function toAnswer(text: string): BridgeAnswer {
  return { kind: 'answer', text, parts: [{ type: 'text', text }], isError: true }
}

function toFunction({ name, description, inputSchema }: ToolText): FunctionTool {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

/** The tokens of the conversation at the last reply. */
function usedTokens(messages: readonly LangChainMessage[]): number {
  const usages = messages.map((message) => message.usage_metadata?.total_tokens)
  return usages.findLast((total) => total !== undefined) ?? 0
}
