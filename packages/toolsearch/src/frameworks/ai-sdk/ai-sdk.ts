import { InvalidToolError } from '../../catalogue/catalogue-errors.ts'
import type { Session } from '../../session/session.ts'
import { answerIn, CallAnswered, problemsIn } from './answered-call.ts'
import { appendMode } from './append-mode.ts'
import { clientMode } from './client-mode.ts'
import { type AsSchema, readInputSchema } from './input-schema.ts'
import { referenceMode } from './reference-mode.ts'
import { sdkDefinition } from './sdk-definition.ts'
import { calledLast, withBlock, withNotice } from './sdk-messages.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkMessage, SdkTool, SdkToolChoice, SdkToolName, SdkToolSet } from './sdk-shapes.ts'
import { planStep, revealedBy, type StepPlan } from './step-plan.ts'

export interface AiSdkOptions<TOOLS extends SdkToolSet> {
  /** All of them: the SDK's own, those of MCP clients, and tools of the provider. */
  tools: TOOLS
  /**
   * How a tool that was found comes into the request: put last in the list (`append`, any model),
   * by a reference in the result (`reference`, Anthropic), or with the result (`client`, OpenAI
   * Responses).
   * @default 'append'
   */
  mode?: AiSdkMode
  /** Goes here in place of `generateText`, so that a tool the model is made to call is loaded. */
  toolChoice?: SdkToolChoice<TOOLS>
  /** The SDK's own, for schemas that do not tell their JSON Schema, such as those of zod/mini or of zod before 4.2. */
  asSchema?: AsSchema
}

export type AiSdkMode = 'append' | 'reference' | 'client'

/** What to spread into `generateText`, `streamText` or the settings of an agent. */
export interface AiSdkSettings<TOOLS extends SdkToolSet> {
  /** The tools that were given, watched over, and the search tool. */
  readonly tools: TOOLS
  readonly toolChoice?: SdkToolChoice<TOOLS>
  /** Composes each request. One of your own can call it and add to what it gives. */
  prepareStep<MESSAGE extends SdkMessage, SYSTEM extends SdkMessage>(
    options: StepOptions<TOOLS, MESSAGE, SYSTEM>,
  ): Promise<StepSettings<TOOLS, MESSAGE, SYSTEM>>
  /** Has a call that cannot run answered with what the next one needs. Repairs nothing. */
  repairToolCall(options: {
    readonly toolCall: { readonly toolName: string; readonly input: string }
    readonly error: Error
  }): Promise<null>
}

/** What we need of what the SDK passes to `prepareStep`. */
export interface StepOptions<TOOLS, MESSAGE, SYSTEM> {
  readonly stepNumber: number
  readonly steps: readonly { readonly usage: { readonly totalTokens?: number | undefined } }[]
  readonly messages: MESSAGE[]
  readonly initialInstructions: string | SYSTEM | SYSTEM[] | undefined
  readonly toolsContext?: unknown
  /** For this step, in place of the one for all of them. The SDK does not pass it; you may. */
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

/**
 * Keeps the tools of a conversation one search away in the AI SDK. The catalogue is filled from
 * `tools`; what was found is remembered by the session, and a session that knows nothing yet reads
 * it from the messages.
 *
 * @example
 * await generateText({ model, messages, ...aiSdk(session, { tools }), stopWhen: isStepCount(10) })
 *
 * @throws InvalidToolError when a tool has the search tool's name
 */
export function aiSdk<TOOLS extends SdkToolSet>(
  session: Session,
  { tools, mode: modeName = 'append', toolChoice, asSchema }: AiSdkOptions<TOOLS>,
): AiSdkSettings<TOOLS> {
  const mode = MODES[modeName]
  const { searchTool } = session
  if (Object.hasOwn(tools, searchTool.name)) {
    const problem =
      'is that of the search tool; give that another: createToolSearch({ searchTool })'
    throw new InvalidToolError(searchTool.name, 'name', problem)
  }
  const entries = Object.entries<SdkTool>(tools)
  const ours = entries
    .filter(([, tool]) => tool.type !== 'provider')
    .map(([name, tool]) => ({
      name,
      tool,
      schema: readInputSchema(name, tool.inputSchema, asSchema),
    }))
  const alwaysThere = entries.filter(([, tool]) => tool.type === 'provider').map(([name]) => name)
  let opening: Promise<Session> | undefined
  let plan: StepPlan | undefined

  const watched: Record<string, SdkTool> = {
    ...tools,
    ...Object.fromEntries(ours.map((one) => [one.name, watch(one)])),
    [searchTool.name]: mode.searchTool({
      definition: searchTool,
      search: async (input) => (await open()).search(input),
      isHeld: (name) => plan?.held.has(name) ?? false,
      isStrict: (name) => tools[name]?.strict === true,
    }),
  }

  return {
    tools: watched as TOOLS,
    ...(toolChoice && { toolChoice }),

    async prepareStep({ stepNumber, steps, messages, initialInstructions, toolsContext, ...step }) {
      const own = await open(toolsContext)
      const choice = step.toolChoice ?? toolChoice
      const forced = typeof choice === 'object' ? choice.toolName : undefined
      if (stepNumber === 0 && knowsNothing(own)) await own.rebuild(messages)
      // a tool in use before deferral began must not vanish when it begins
      await own.load(calledLast(messages))
      const revealed = revealedBy(messages, mode, { searchToolName: searchTool.name, forced })
      const turn = await own.turn({
        usedTokens: steps.at(-1)?.usage.totalTokens ?? 0,
        ...(forced !== undefined && { toolChoice: forced }),
        appendOnly: { revealed, hiddenAs: 'absent' },
      })
      plan = planStep(turn, revealed, mode)
      const { held } = plan
      const mended = mode.repair?.(messages, (name) => held.has(name)) ?? messages
      const order = [...alwaysThere, ...plan.listed] as SdkToolName<TOOLS>[]
      return {
        activeTools: order,
        toolOrder: order,
        ...(turn.system !== undefined && {
          instructions: withBlock(initialInstructions, turn.system),
        }),
        messages: withNotice(mended, turn.notice),
        ...(choice && { toolChoice: choice }),
      }
    },

    async repairToolCall({ toolCall, error }) {
      const call = { name: toolCall.toolName, arguments: toolCall.input }
      const own = await open()
      const answer = answerIn(error) ?? (await own.answer({ ...call, problems: problemsIn(error) }))
      // the model reads the message of the error
      if (answer) error.message = answer.text
      return null
    },
  }

  function open(toolsContext?: unknown): Promise<Session> {
    const contexts = (toolsContext ?? {}) as Record<string, unknown>
    opening ??= Promise.all(
      ours.map(({ name, tool, schema }) => sdkDefinition(name, tool, schema, contexts[name])),
    ).then((definitions) => session.withTools(definitions))
    return opening
  }

  /** The tool as it is, but a call that it should not run is answered before. */
  function watch({ name, tool, schema }: (typeof ours)[number]): SdkTool {
    const { deferLoading: _, providerOptions, ...rest } = tool
    return {
      ...rest,
      inputSchema: schema.guarded((value) => look(name, value, schema.validates)),
      // read by the SDK for each request
      get providerOptions() {
        if (!plan?.held.has(name)) return providerOptions
        return mergeOptions(providerOptions as typeof mode.held, mode.held)
      },
    }
  }

  async function look(name: string, input: unknown, validates: boolean): Promise<void> {
    // before the first request there can only be calls of an earlier run, now approved
    if (plan === undefined) return
    const isKnown = plan.known.has(name)
    // a schema that checks knows better than we do
    if (isKnown && validates) return
    const problems = isKnown ? [] : [`"${name}" was called before its definition was there`]
    const answer = await (await open()).answer({ name, arguments: input, problems })
    if (answer) throw new CallAnswered(answer)
  }
}

function knowsNothing(session: Session): boolean {
  const { loaded, sent } = session.snapshot().record
  return loaded.length === 0 && sent.length === 0
}

function mergeOptions(
  own: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined = {},
  more: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined = {},
): Record<string, unknown> {
  const merged = Object.entries(more).map(([key, value]) => [key, { ...own[key], ...value }])
  return { ...own, ...Object.fromEntries(merged) }
}
