import { type Conversations, openBridge } from '../../bridge/bridge.ts'
import {
  type Check,
  callback,
  checkOptions,
  toolSearch as checkToolSearch,
} from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import type { ToolSearch } from '../../toolsearch.ts'
import { lastUserText } from '../../transcript/user-text.ts'
import { checkExpect, type ExpectOption, expectedWords } from '../expect-option.ts'
import { bridgeTools, listedTool } from './bridge-tools.ts'
import type { MastraRequestContext, MastraStep, RunApproval } from './mastra-shapes.ts'
import { read } from './read.ts'

export interface MastraOptions {
  /**
   * Opens the session of a conversation. `id` is the thread of the agent's memory, or a random id
   * for the run if the agent has no memory. Use it to restrict the tools by the request context.
   * @default (id) => toolSearch.session(id)
   */
  session?: (
    id: string,
    requestContext: MastraRequestContext | undefined,
  ) => Session | Promise<Session>
  /**
   * Search with each message of the user, and describe the tools that surely fit before the model asks
   * for them. A function gets the message and returns the words to search with.
   * Requires an agent with memory, which keeps the description in the thread.
   * @default false
   */
  expect?: ExpectOption
}

/** An input processor for `new Agent({ inputProcessors })`. */
export interface ToolSearchProcessor {
  readonly id: 'toolsearch'
  /** Adds the search tool, the call tool and the list of hidden tools to a request. */
  processInputStep(
    step: MastraStep,
  ): Promise<{ tools: Record<string, unknown>; systemMessages: never[] }>
  /**
   * The search tool and the call tool. Pass them to the agent too if a suspended run can continue in
   * another process: there, Mastra only has the tools of the agent.
   */
  // biome-ignore lint/suspicious/noExplicitAny: Mastra's type of a tool has many parameters
  tools(): Record<string, any>
}

/** Where Mastra keeps `requireToolApproval` during a run. */
const RUN_APPROVAL_KEY = '__mastra_requireToolApproval'

const OPTIONS = { session: callback, expect: checkExpect } satisfies Record<
  keyof MastraOptions,
  Check
>

/**
 * Tool search for agents of Mastra. The model finds the tools of the catalogue with `tool_search` and
 * calls them with `call_tool`; tools that you pass to the agent are always listed.
 *
 * @example
 * const toolSearch = createToolSearch({ tools: mastraTools({ weather, letters }) })
 * const agent = new Agent({ ...settings, inputProcessors: [toolSearchProcessor(toolSearch)] })
 *
 * @throws InvalidOptionError
 */
export function toolSearchProcessor(
  toolSearch: ToolSearch,
  options: MastraOptions = {},
): ToolSearchProcessor {
  checkToolSearch(toolSearch, 'toolSearch')
  checkOptions(options, 'options', OPTIONS)
  const { session: openSession = (id) => toolSearch.session(id), expect = false } = options
  // Mastra opens the session again for each step and each call.
  const conversations: Conversations = new Map()

  return {
    id: 'toolsearch',

    tools: () =>
      bridgeTools({
        searchTool: toolSearch.preset.searchTool,
        async open({ agent, runId, requestContext }) {
          const thread = agent?.threadId ?? threadIn(requestContext)
          const id = thread ?? runId ?? crypto.randomUUID()
          return open(await openSession(id, requestContext))
        },
        tools: toolSearch.catalogue.tools,
        tool: toolSearch.catalogue.get,
        // unknown here: rather ask twice than not at all
        runApproval: true,
      }),

    async processInputStep({ messages, steps, requestContext, state = {}, ...step }) {
      const thread = threadIn(requestContext)
      // Mastra does not always pass the id of the run, but keeps the state for one run
      state.runId ??= step.runId ?? crypto.randomUUID()
      const session = await openSession(thread ?? (state.runId as string), requestContext)
      // there is no memory, or the store lost the session
      if (session.loaded.length === 0) await session.rebuild(messages, { read })
      // without memory, messages that we add are not in the history of the next run
      const canAppend = thread !== undefined && step.sendSignal !== undefined
      const opened = open(session)
      const usedTokens = steps.at(-1)?.usage?.totalTokens ?? 0
      opened.bridge.sent()
      const { system, tools, isActive } = await opened.bridge.currentPlan({
        usedTokens,
        ...(canAppend && expectedWords(expect, lastUserText(messages, read))),
      })
      const news = canAppend ? opened.bridge.takeNews() : undefined
      if (news !== undefined) {
        await step.sendSignal?.({ type: 'notification', tagName: 'tools', contents: news })
      }
      // the list has the block already if this is not the first step of a run
      const others = step.systemMessages.filter((message) => message.content !== system)
      const block = system === undefined ? [] : [{ role: 'system', content: system }]
      const own = bridgeTools({
        searchTool: session.searchTool,
        open: async () => opened,
        tools: session.tools,
        tool: session.tool,
        runApproval: (requestContext?.get(RUN_APPROVAL_KEY) as RunApproval | undefined) ?? false,
      })
      const agentTools = Object.entries(step.tools ?? {}).filter(
        ([name]) => !Object.hasOwn(own, name),
      )
      return {
        tools: {
          ...Object.fromEntries(agentTools),
          ...(isActive && own),
          ...Object.fromEntries(tools.map(({ name }) => [name, listedTool(session.tool(name)!)])),
        },
        systemMessages: [...others, ...block] as never[],
      }
    },
  }

  function open(session: Session) {
    return { session, bridge: openBridge(session, {}, conversations) }
  }
}

function threadIn(requestContext: MastraRequestContext | undefined): string | undefined {
  const memory = requestContext?.get('MastraMemory') as { thread?: { id?: string } } | undefined
  return (requestContext?.get('mastra__threadId') as string | undefined) ?? memory?.thread?.id
}
