import { openBridge } from '../../bridge/bridge.ts'
import { isObject } from '../../is-object.ts'
import {
  type Check,
  callback,
  check,
  checkOptions,
  session as checkSession,
  fail,
} from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import type { RunnableCall } from '../../tool-search/call-result.ts'
import { checkExpect, type ExpectOption } from '../expect-option.ts'
import { bridgeTools } from './bridge-tools.ts'
import { createCatalogueTools } from './catalogue-tools.ts'
import { inputFilter, type ModelInputFilter } from './input-filter.ts'
import { addNativeTools } from './native-tools.ts'
import type { AgentTool, HostedTool, NativeSearch } from './sdk-shapes.ts'

// biome-ignore lint/suspicious/noExplicitAny: RunContext and Agent of the SDK, which depend on the user's types
type Any = any

export interface OpenaiAgentsOptions {
  /**
   * The agent's own instructions. The names of the hidden tools follow them.
   * @default ''
   */
  instructions?: string | ((runContext: Any, agent: Any) => string | Promise<string>)
  /**
   * Whether a person must approve a call. Tools of the SDK also ask their own `needsApproval`.
   * @default only what tools of the SDK ask for
   */
  needsApproval?: (call: RunnableCall) => boolean | Promise<boolean>
  /**
   * The SDK's `toolSearchTool` and `toolNamespace`, to use the tool search of the Responses API
   * (GPT-5.4 or later). The model then calls found tools by their names.
   * @default the model calls found tools through `call_tool`, which works with every model
   */
  native?: NativeSearch
  /**
   * Search with each message of the user, and describe the tools that surely fit before the model asks
   * for them. Pass `callModelInputFilter` of the settings to `run`. A function gets the message and
   * returns the words to search with. Not with `native`, whose tools the model can only call after a
   * search.
   * @default false
   */
  expect?: ExpectOption
}

/** Settings to spread into `new Agent({ … })`. */
export interface OpenaiAgentsSettings {
  /** Your instructions and the names of the hidden tools: the same text in every request. */
  instructions: (runContext?: Any, agent?: Any) => Promise<string>
  /** The tools of the agent. Tools that must be listed later are added to this array. */
  tools: (AgentTool | HostedTool)[]
  /**
   * Only needed with `expect`: pass it to each `run(agent, input, { callModelInputFilter })`, or to
   * `new Runner`.
   */
  callModelInputFilter: ModelInputFilter
}

const OPTIONS = {
  instructions: check(
    (value) => typeof value === 'string' || typeof value === 'function',
    'use a string or a function',
  ),
  needsApproval: callback,
  native: check(
    (value) =>
      isObject(value) &&
      typeof value.toolSearchTool === 'function' &&
      typeof value.toolNamespace === 'function',
    'use { toolSearchTool, toolNamespace } from @openai/agents',
  ),
  expect: checkExpect,
} satisfies Record<keyof OpenaiAgentsOptions, Check>

/**
 * Tool search for the OpenAI Agents SDK. Create the agent once per conversation, because the session
 * remembers which tools were found.
 *
 * @example
 * const agent = new Agent({ name: 'Support', ...(await openaiAgents(session)) })
 *
 * @throws InvalidOptionError
 */
export async function openaiAgents(
  session: Session,
  options: OpenaiAgentsOptions = {},
): Promise<OpenaiAgentsSettings> {
  checkSession(session, 'session')
  checkOptions(options, 'options', OPTIONS)
  const { instructions = '', needsApproval, native, expect = false } = options
  if (native && expect !== false) fail(expect, 'expect', 'leave out "native" to use it')
  if (native && session.resultIn === undefined) {
    fail(
      native,
      'native',
      'leave it out to use the option result: its results are only definitions',
    )
  }
  const bridge = openBridge(session, { news: 'results' })
  const catalogueTools = createCatalogueTools(bridge, needsApproval)
  let plan = await bridge.planRequest()
  bridge.sent()
  const isListed = (name: string) => plan.tools.some((tool) => tool.name === name)

  const tools: (AgentTool | HostedTool)[] = native
    ? []
    : bridgeTools(bridge, catalogueTools, { isActive, find: session.tool })
  const known = new Set<string>()
  let hidden: { refresh(): void } | undefined
  listTools()

  return {
    tools,
    callModelInputFilter: inputFilter(session, expect),
    async instructions(runContext, agent) {
      // the SDK has asked for the tools of the request before
      await planRequest(runContext)
      bridge.sent()
      const own =
        typeof instructions === 'function' ? await instructions(runContext, agent) : instructions
      return [own, plan.system ?? ''].filter(Boolean).join('\n\n')
    },
  }

  async function isActive(runContext: Any): Promise<boolean> {
    await planRequest(runContext)
    return plan.isActive
  }

  async function planRequest(runContext: Any): Promise<void> {
    const planned = await bridge.currentPlan({ usedTokens: usedTokens(runContext) })
    if (planned === plan) return
    plan = planned
    listTools()
  }

  /** Adds tools that are new to this agent. The SDK reads the array before each request. */
  function listTools(): void {
    if (native && plan.isActive) {
      if (hidden) hidden.refresh()
      else hidden = addNativeTools(tools, session, catalogueTools, { native, isListed })
    }
    for (const { name } of plan.tools) {
      const tool = session.tool(name)
      if (!tool || known.has(name)) continue
      known.add(name)
      const direct = catalogueTools.direct(tool)
      tools.push({
        ...direct,
        isEnabled: async (...args) => isListed(name) && direct.isEnabled(...args),
      })
    }
  }
}

/** The tokens of the last request and its reply. */
function usedTokens(runContext: Any): number {
  return runContext?.usage?.requestUsageEntries?.at(-1)?.totalTokens ?? 0
}
