import { InvalidToolError } from '../../catalogue/catalogue-errors.ts'
import { isEqual } from '../../catalogue/is-equal.ts'
import type { ToolDefinition } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import {
  anything,
  type Check,
  callback,
  check,
  session as checkSession,
  complete,
  oneOf,
} from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import { answerIn, CallAnswered, problemsIn } from './answered-call.ts'
import { clientMode } from './client-mode.ts'
import { type AsSchema, readInputSchema } from './input-schema.ts'
import { referenceMode } from './reference-mode.ts'
import { sdkDefinition } from './sdk-definition.ts'
import { lastCalledTools, withBlock, withNotice } from './sdk-messages.ts'
import { appendMode, type SdkMode } from './sdk-mode.ts'
import type { SdkMessage, SdkTool, SdkToolChoice, SdkToolName, SdkToolSet } from './sdk-shapes.ts'
import { planStep, revealedIn, type StepPlan } from './step-plan.ts'

export interface AiSdkOptions<TOOLS extends SdkToolSet> {
  /** All tools: the SDK's, those of MCP clients, and provider tools. */
  tools: TOOLS
  /**
   * How found tools become part of a request: at the end of the tool list (`append`, any model), as
   * references in the search result (`reference`, Anthropic), or as definitions in the search result
   * (`client`, OpenAI Responses).
   * @default 'append'
   */
  mode?: AiSdkMode
  /** Set it here instead of in `generateText`, so that a forced tool is loaded. */
  toolChoice?: SdkToolChoice<TOOLS>
  /** The SDK's `asSchema`, for schemas without JSON Schema support, such as zod/mini or zod before 4.2. */
  asSchema?: AsSchema
}

export type AiSdkMode = 'append' | 'reference' | 'client'

/** Settings to spread into `generateText`, `streamText` or the settings of an agent. */
export interface AiSdkSettings<TOOLS extends SdkToolSet> {
  /** Your tools, with a check before each call, and the search tool. */
  readonly tools: TOOLS
  readonly toolChoice?: SdkToolChoice<TOOLS>
  /** Builds each request. Your own `prepareStep` can call it and extend the result. */
  prepareStep<MESSAGE extends SdkMessage, SYSTEM extends SdkMessage>(
    options: StepOptions<TOOLS, MESSAGE, SYSTEM>,
  ): Promise<StepSettings<TOOLS, MESSAGE, SYSTEM>>
  /** Tells the model why a call cannot run and what the next call needs. It never changes a call. */
  repairToolCall(options: {
    readonly toolCall: { readonly toolName: string; readonly input: string }
    readonly error: Error
  }): Promise<null>
}

/** The options of the SDK's `prepareStep` that we use. */
export interface StepOptions<TOOLS, MESSAGE, SYSTEM> {
  readonly stepNumber: number
  readonly steps: readonly { readonly usage: { readonly totalTokens?: number | undefined } }[]
  readonly messages: MESSAGE[]
  readonly initialInstructions: string | SYSTEM | SYSTEM[] | undefined
  readonly toolsContext?: unknown
  /** Overrides the tool choice for this step. The SDK does not pass it, but you can. */
  readonly toolChoice?: SdkToolChoice<TOOLS> | undefined
}

export interface StepSettings<TOOLS, MESSAGE, SYSTEM> {
  activeTools: SdkToolName<TOOLS>[]
  toolOrder: SdkToolName<TOOLS>[]
  instructions?: string | SYSTEM[]
  messages?: MESSAGE[]
  toolChoice?: SdkToolChoice<TOOLS>
}

const MODES: Record<AiSdkMode, SdkMode> = {
  append: appendMode,
  reference: referenceMode,
  client: clientMode,
}

const checkSdkOptions = complete(
  {
    tools: check(isObject, 'use an object of tools, as in generateText({ tools })'),
    mode: oneOf<AiSdkMode>({ append: true, reference: true, client: true }),
    toolChoice: anything,
    asSchema: callback,
  } satisfies Record<keyof AiSdkOptions<SdkToolSet>, Check>,
  ['mode', 'toolChoice', 'asSchema'],
)

/**
 * Tool search for the AI SDK. No other conversation sees `tools`. The session remembers which tools
 * were found; a new session reads them from the messages. If every request passes the same object as
 * `tools`, they are indexed once.
 *
 * @example
 * await generateText({ model, messages, ...aiSdk(session, { tools }), stopWhen: isStepCount(10) })
 *
 * @throws InvalidToolError if a tool has the name of the search tool
 * @throws InvalidOptionError
 */
export function aiSdk<TOOLS extends SdkToolSet>(
  session: Session,
  options: AiSdkOptions<TOOLS>,
): AiSdkSettings<TOOLS> {
  checkSession(session, 'session')
  checkSdkOptions(options, 'options')
  const { tools, mode: modeName = 'append', toolChoice, asSchema } = options
  const mode = MODES[modeName]
  const { searchTool } = session
  if (Object.hasOwn(tools, searchTool.name)) {
    const problem =
      'is the name of the search tool. Rename the search tool: createToolSearch({ searchTool })'
    throw new InvalidToolError(searchTool.name, 'name', problem)
  }
  const entries = Object.entries<SdkTool>(tools)
  const searchable = entries
    .filter(([, tool]) => tool.type !== 'provider')
    .map(([name, tool]) => ({
      name,
      tool,
      schema: readInputSchema(name, tool.inputSchema, asSchema),
    }))
  const providerTools = entries.filter(([, tool]) => tool.type === 'provider').map(([name]) => name)
  let opened: Promise<Session> | undefined
  let openedContext: unknown
  let plan: StepPlan | undefined

  const guardedTools: Record<string, SdkTool> = {
    ...tools,
    ...Object.fromEntries(searchable.map((entry) => [entry.name, guard(entry)])),
    [searchTool.name]: mode.searchTool({
      definition: searchTool,
      search: async (input) => (await open()).search(input),
      isDeferred: (name) => plan?.deferred.has(name) ?? false,
      isStrict: (name) => tools[name]?.strict === true,
    }),
  }

  return {
    tools: guardedTools as TOOLS,
    ...(toolChoice && { toolChoice }),

    async prepareStep({ stepNumber, steps, messages, initialInstructions, toolsContext, ...step }) {
      const scoped = await open(toolsContext)
      const choice = step.toolChoice ?? toolChoice
      const forced = typeof choice === 'object' ? choice.toolName : undefined
      if (stepNumber === 0 && (await isNew(scoped))) await scoped.rebuild(messages)
      // A tool that was used before deferral started must not disappear when it starts.
      await scoped.load(lastCalledTools(messages))
      const revealed = revealedIn(messages, mode, { searchToolName: searchTool.name, forced })
      const turn = await scoped.turn({
        usedTokens: steps.at(-1)?.usage.totalTokens ?? 0,
        ...(forced !== undefined && { toolChoice: forced }),
        appendOnly: { revealed, hiddenAs: 'absent' },
      })
      plan = planStep(turn, revealed, mode)
      const { deferred } = plan
      const repaired = mode.repair?.(messages, (name) => deferred.has(name)) ?? messages
      const order = [...providerTools, ...plan.listed] as SdkToolName<TOOLS>[]
      return {
        activeTools: order,
        toolOrder: order,
        ...(turn.system !== undefined && {
          instructions: withBlock(initialInstructions, turn.system),
        }),
        messages: withNotice(repaired, turn.notice),
        ...(choice && { toolChoice: choice }),
      }
    },

    async repairToolCall({ toolCall, error }) {
      const call = { name: toolCall.toolName, arguments: toolCall.input }
      const scoped = await open()
      const result =
        answerIn(error) ?? (await scoped.answer({ ...call, problems: problemsIn(error) }))
      // The model reads the error message.
      if (result.kind === 'answered') error.message = result.text
      return null
    },
  }

  /** The session with these tools. Their descriptions may depend on the context of a step. */
  function open(toolsContext: unknown = openedContext): Promise<Session> {
    if (opened === undefined || toolsContext !== openedContext) {
      openedContext = toolsContext
      const opening = define(toolsContext).then((definitions) => session.withTools(definitions))
      // the description of a tool can be a function that fails once
      opening.catch(() => {
        if (opened === opening) opened = undefined
      })
      opened = opening
    }
    return opened
  }

  async function define(toolsContext: unknown): Promise<readonly ToolDefinition[]> {
    const contexts = (toolsContext ?? {}) as Record<string, unknown>
    const definitions = await Promise.all(
      searchable.map(({ name, tool, schema }) => sdkDefinition(name, tool, schema, contexts[name])),
    )
    if (searchable.some(({ tool }) => typeof tool.description === 'function')) return definitions
    // the session reuses the index of a list that it gets again
    const earlier = definedTools.get(tools)
    if (earlier && isEqual(earlier, definitions)) return earlier
    definedTools.set(tools, definitions)
    return definitions
  }

  /** Adds a check to a tool that can answer a call before the SDK runs it. */
  function guard({ name, tool, schema }: (typeof searchable)[number]): SdkTool {
    const { deferLoading: _, providerOptions, ...rest } = tool
    return {
      ...rest,
      inputSchema: schema.guarded((value) => checkCall(name, value, schema.validates)),
      // A getter, because the SDK reads it for each request.
      get providerOptions() {
        if (!plan?.deferred.has(name)) return providerOptions
        return mergeOptions(providerOptions as typeof mode.deferredOptions, mode.deferredOptions)
      },
    }
  }

  async function checkCall(name: string, input: unknown, validates: boolean): Promise<void> {
    // Before the first request, only approved calls from an earlier run can occur.
    if (plan === undefined) return
    const isVisible = plan.visible.has(name)
    // A validating schema checks more precisely than we do.
    if (isVisible && validates) return
    const problems = isVisible ? [] : [`"${name}" was called before its definition was loaded`]
    const result = await (await open()).answer({ name, arguments: input, problems })
    if (result.kind === 'answered') throw new CallAnswered(result)
  }
}

/** The definitions of each object with tools, for as long as the caller keeps it. */
const definedTools = new WeakMap<SdkToolSet, readonly ToolDefinition[]>()

/** Whether a session has no record of an earlier request. */
async function isNew(session: Session): Promise<boolean> {
  const { loaded, sent, seen } = (await session.snapshot()).record
  return loaded.length === 0 && sent.length === 0 && seen === undefined
}

function mergeOptions(
  own: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined = {},
  more: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined = {},
): Record<string, unknown> {
  const merged = Object.entries(more).map(([key, value]) => [key, { ...own[key], ...value }])
  return { ...own, ...Object.fromEntries(merged) }
}
