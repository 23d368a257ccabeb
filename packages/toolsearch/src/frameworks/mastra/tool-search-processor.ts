import { createBridge } from '../../bridge/bridge.ts'
import { type Check, callback, check, checkOptions } from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import type { ToolSearch } from '../../toolsearch.ts'
import { bridgeTools, listedTool } from './bridge-tools.ts'
import type { MastraRequestContext, MastraStep } from './mastra-shapes.ts'
import { callsIn } from './stored-calls.ts'

export interface MastraOptions {
  /**
   * Opens the session of a conversation. `id` is the thread of the agent's memory, or the run if
   * there is none. Use it to restrict the tools by the request context.
   * @default (id) => toolSearch.session(id)
   */
  session?: (
    id: string,
    requestContext: MastraRequestContext | undefined,
  ) => Session | Promise<Session>
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

const checkToolSearch = check(
  (value) => typeof (value as ToolSearch | null)?.session === 'function',
  'pass the result of createToolSearch()',
)
const OPTIONS = { session: callback } satisfies Record<keyof MastraOptions, Check>

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
  const { session: openSession = (id) => toolSearch.session(id) } = options

  return {
    id: 'toolsearch',

    tools: () =>
      bridgeTools({
        searchTool: toolSearch.preset.searchTool,
        async open({ agent, runId = 'run', requestContext }) {
          const thread = agent?.threadId ?? threadIn(requestContext)
          const session = await openSession(thread ?? runId, requestContext)
          return { session, bridge: createBridge(session) }
        },
        tools: toolSearch.catalogue.tools,
        tool: toolSearch.catalogue.get,
      }),

    async processInputStep({ runId = 'run', messages, steps, requestContext, ...step }) {
      const thread = threadIn(requestContext)
      const session = await openSession(thread ?? runId, requestContext)
      // there is no memory, or the store lost the session
      if (session.loaded.length === 0) await session.rebuild(callsIn(messages))
      // without memory, messages that we add are not in the history of the next run
      const canAppend = thread !== undefined && step.sendSignal !== undefined
      const bridge = createBridge(session, { news: canAppend ? 'messages' : 'results' })
      const usedTokens = steps.at(-1)?.usage?.totalTokens ?? 0
      const { system, notice, tools, isActive } = await bridge.announce({ usedTokens })
      if (notice !== undefined) {
        await step.sendSignal?.({ type: 'notification', tagName: 'tools', contents: notice })
      }
      // the list has the block already if this is not the first step of a run
      const others = step.systemMessages.filter((message) => message.content !== system)
      const block = system === undefined ? [] : [{ role: 'system', content: system }]
      const { searchTool } = session
      const open = async () => ({ bridge, session })
      const own = bridgeTools({ searchTool, open, tools: session.tools, tool: session.tool })
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
}

function threadIn(requestContext: MastraRequestContext | undefined): string | undefined {
  const memory = requestContext?.get('MastraMemory') as { thread?: { id?: string } } | undefined
  return (requestContext?.get('mastra__threadId') as string | undefined) ?? memory?.thread?.id
}
