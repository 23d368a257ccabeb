import type { BaseTool, BaseToolset, Context, LlmRequest } from '@google/adk'
import { openBridge } from '../../bridge/bridge.ts'
import type { Tool } from '../../catalogue/tool.ts'
import {
  type Check,
  callback,
  checkOptions,
  session as checkSession,
} from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import { type ToolText, toolText } from '../../tokens/tool-tokens.ts'
import type { RunnableCall } from '../../tool-search/call-result.ts'
import { checkExpect, type ExpectOption } from '../expect-option.ts'
import { createExpectedNotices } from '../expected-notices.ts'
import { originalOf } from './adk-tools.ts'
import { createTool, type ToolMethods } from './create-tool.ts'
import { toResponse, withMedia } from './function-response.ts'
import { withNotices } from './with-notices.ts'

export interface AdkToolsetOptions {
  /**
   * Whether a person must confirm a call. Tools of ADK also ask their own `requireConfirmation`.
   * @default only what tools of ADK ask for
   */
  requireConfirmation?: (call: RunnableCall) => boolean | Promise<boolean>
  /**
   * Search with each message of the user, and describe the tools that surely fit before the model asks
   * for them. A function gets the message and returns the words to search with.
   * @default false
   */
  expect?: ExpectOption
}

const OPTIONS = {
  requireConfirmation: callback,
  expect: checkExpect,
} satisfies Record<keyof AdkToolsetOptions, Check>

// ADK recognises its classes by symbols, so that several copies of it can work together
const BASE_TOOLSET = Symbol.for('google.adk.baseToolset')

/**
 * Tool search for Google's Agent Development Kit. Create the agent once per conversation, because the
 * session remembers which tools were found.
 *
 * @example
 * const agent = new LlmAgent({ name: 'support', model, tools: [adkToolset(session)] })
 *
 * @throws InvalidOptionError
 */
export function adkToolset(session: Session, options: AdkToolsetOptions = {}): BaseToolset {
  checkSession(session, 'session')
  checkOptions(options, 'options', OPTIONS)
  const { requireConfirmation = () => false, expect = false } = options
  const bridge = openBridge(session, { news: 'results' })
  const addExpected = expect === false ? undefined : createExpectedNotices(session, expect)
  const directTools = new WeakMap<Tool, BaseTool>()
  /** Names that the model may know. Their tools may be gone. */
  const seen = new Set<string>()

  const search = createTool(bridge.searchTool, {
    prepare,
    runAsync: async ({ args }) => toResponse(await bridge.search(args)),
    checkRequireConfirmation: async () => false,
  })
  const call = createTool(bridge.callTool, handlers(bridge.check))

  return {
    [BASE_TOOLSET]: true,
    toolFilter: [],
    async getTools() {
      // ADK asks for the tools several times per request
      const { tools, isActive } = await bridge.currentPlan()
      const listed = tools.flatMap(({ name }) => session.tool(name) ?? []).map(direct)
      return isActive ? [search, call, ...listed] : listed
    },
    async processLlmRequest() {},
    async close() {},
  } as unknown as BaseToolset

  /** Runs once per request, when ADK adds the first of our tools to it. */
  async function prepare(llmRequest: LlmRequest): Promise<void> {
    const plan = bridge.sent()
    if (plan === undefined) return
    const { system } = await plan
    llmRequest.contents = withMedia(llmRequest)
    if (addExpected) llmRequest.contents = await withNotices(llmRequest.contents, addExpected)
    // ADK ends a run if the model calls a tool by its name that is not in this object
    for (const { name } of session.tools()) seen.add(name)
    for (const name of session.loaded) seen.add(name)
    for (const name of seen) {
      const tool = session.tool(name)
      llmRequest.toolsDict[name] ??= tool ? direct(tool) : removed(name)
    }
    if (system === undefined) return
    const own = llmRequest.config?.systemInstruction
    const systemInstruction = own ? `${own}\n\n${system}` : system
    llmRequest.config = { ...llmRequest.config, systemInstruction }
  }

  function direct(tool: Tool): BaseTool {
    let created = directTools.get(tool)
    if (created === undefined) {
      created = named(toolText(tool))
      directTools.set(tool, created)
    }
    return created
  }

  /** Answers calls to a tool that no longer exists. */
  function removed(name: string): BaseTool {
    return named({ name, description: '', inputSchema: { type: 'object' } })
  }

  function named(text: ToolText): BaseTool {
    const { name } = text
    return createTool(
      text,
      handlers((args) => bridge.check({ name, arguments: args })),
    )
  }

  function handlers(check: typeof bridge.check): ToolMethods {
    return {
      prepare,
      async runAsync({ args, toolContext }) {
        const checked = await check(args)
        return checked.kind === 'run' ? run(checked, toolContext) : toResponse(checked)
      },
      async checkRequireConfirmation(args, toolContext) {
        const checked = await check(args)
        return checked.kind === 'run' && asksPerson(checked, toolContext)
      },
    }
  }

  async function asksPerson(checked: RunnableCall, toolContext?: Context): Promise<boolean> {
    const original = originalOf(checked.tool)
    const asks = await original?.checkRequireConfirmation(checked.arguments, toolContext)
    return asks || requireConfirmation(checked)
  }

  async function run(checked: RunnableCall, toolContext: Context): Promise<unknown> {
    const { tool, arguments: args } = checked
    if (await asksPerson(checked, toolContext)) {
      const { toolConfirmation } = toolContext
      if (!toolConfirmation) {
        toolContext.requestConfirmation({ hint: `Approve or reject the call of ${tool.name}.` })
        toolContext.actions.skipSummarization = true
        return { error: 'This tool call requires confirmation, please approve or reject.' }
      }
      if (!toolConfirmation.confirmed) return { error: 'This tool call is rejected.' }
    }
    const original = originalOf(tool)
    if (original) {
      const output = await original.runAsync({ args, toolContext })
      return typeof output === 'string' ? toResponse(bridge.answer(output)) : output
    }
    const { abortSignal: signal, functionCallId: callId } = toolContext
    const done = await bridge.execute(checked, {
      ...(signal && { signal }),
      ...(callId !== undefined && { callId }),
    })
    return toResponse(done)
  }
}
