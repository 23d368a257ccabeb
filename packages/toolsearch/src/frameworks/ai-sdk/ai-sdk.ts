import { InvalidToolError } from '../../catalogue/catalogue-errors.ts'
import { isEqual } from '../../catalogue/is-equal.ts'
import { ACCEPTED_EVERYWHERE } from '../../catalogue/safe-name.ts'
import type { Tool, ToolDefinition } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import {
  anything,
  type Check,
  callback,
  check,
  session as checkSession,
  complete,
  fail,
  oneOf,
  record,
} from '../../options/check-option.ts'
import { universalModes } from '../../providers/modes.ts'
import { createProviderNames } from '../../providers/provider-names.ts'
import { resultFor } from '../../session/result-for.ts'
import type { Session, SessionSearchOptions } from '../../session/session.ts'
import type { SessionRecord } from '../../stores/session-record.ts'
import { toolText } from '../../tokens/tool-tokens.ts'
import { CALL_TOOL_NAME, callTool, unwrapCall } from '../../tool-search/call-tool.ts'
import { ToolSearchError } from '../../tool-search-error.ts'
import type { Entry, FoundTool } from '../../transcript/entry.ts'
import { knownTools } from '../../transcript/known-tools.ts'
import { userText } from '../../transcript/user-text.ts'
import { checkExpect, type ExpectOption, expectedWords } from '../expect-option.ts'
import { answerOutput, type CallAnswer, toCallAnswer } from './answered-call.ts'
import { clientMode } from './client-mode.ts'
import { createWire, type WireCall } from './create-wire.ts'
import { type AsSchema, readInputSchema, unvalidatedSchema } from './input-schema.ts'
import { read } from './read.ts'
import { referenceMode } from './reference-mode.ts'
import { sdkDefinition } from './sdk-definition.ts'
import { placesOf, withBlock } from './sdk-messages.ts'
import type { SdkMode } from './sdk-mode.ts'
import type {
  SdkMessage,
  SdkModel,
  SdkRequestTool,
  SdkTool,
  SdkToolChoice,
  SdkToolSet,
} from './sdk-shapes.ts'
import { planStep, type StepPlan } from './step-plan.ts'
import { wireModel } from './wire-model.ts'

export interface AiSdkOptions<TOOLS extends SdkToolSet> {
  /** All tools: the SDK's, those of MCP clients, and provider tools. */
  tools: TOOLS
  /**
   * How the model gets the tools it finds: the search result contains the schemas, and the model
   * calls the tools through `call_tool` (`bridge`, any model); as references in the search result
   * (`reference`, Anthropic); as definitions in the search result (`client`, OpenAI Responses); at
   * the end of the tool list (`append`, any model, changes the prompt's prefix).
   * @default 'bridge'
   */
  mode?: AiSdkMode
  /** Set it here instead of in `generateText`, so that a forced tool is loaded. */
  toolChoice?: SdkToolChoice<TOOLS>
  /**
   * Search with each message of the user, and show the tools that surely fit before the model asks for
   * them: in a message after the user's, or in the modes `client` and `append` at the end of the tool
   * list, only in the first request. A function gets the message and returns the words to search with.
   * @default false
   */
  expect?: ExpectOption
  /** The SDK's `asSchema`, for schemas without JSON Schema support, such as zod/mini or zod before 4.2. */
  asSchema?: AsSchema
}

export type AiSdkMode = 'bridge' | 'reference' | 'client' | 'append'

/** Settings to spread into `generateText`, `streamText` or the settings of an agent. */
export interface AiSdkSettings<TOOLS extends SdkToolSet> {
  /** Your tools, the search tool, and `call_tool`, which answers calls that cannot run. */
  readonly tools: TOOLS
  readonly toolChoice?: SdkToolChoice<TOOLS>
  /** Builds each request. Your own `prepareStep` can call it and extend the result. */
  prepareStep<SYSTEM extends SdkMessage, MODEL>(
    options: StepOptions<TOOLS, SYSTEM, MODEL>,
  ): Promise<StepSettings<TOOLS, SYSTEM, MODEL>>
}

/** The options of the SDK's `prepareStep` that we use. */
export interface StepOptions<TOOLS, SYSTEM, MODEL> {
  /** The model of this step. To use another one, pass it here instead of adding it to the result. */
  readonly model: MODEL
  readonly stepNumber: number
  readonly steps: readonly { readonly usage: { readonly totalTokens?: number | undefined } }[]
  readonly messages: readonly SdkMessage[]
  readonly initialInstructions: string | SYSTEM | SYSTEM[] | undefined
  readonly toolsContext?: unknown
  /** Overrides the tool choice for this step. The SDK does not pass it, but you can. */
  readonly toolChoice?: SdkToolChoice<TOOLS> | undefined
}

export interface StepSettings<TOOLS, SYSTEM, MODEL> {
  /** The model, with a translation of its requests and replies. */
  model: MODEL
  instructions?: string | SYSTEM[]
  toolChoice?: SdkToolChoice<TOOLS>
}

const MODES: Record<AiSdkMode, SdkMode> = {
  bridge: universalModes.bridge,
  reference: referenceMode,
  client: clientMode,
  append: universalModes.append,
}

const checkSdkOptions = complete(
  {
    tools(value, path) {
      check(isObject, 'use an object of tools, as in generateText({ tools })')(value, path)
      record(check(isObject, "use a tool, such as one from the SDK's tool()"))(value, path)
    },
    mode: oneOf<AiSdkMode>({ bridge: true, reference: true, client: true, append: true }),
    toolChoice: anything,
    expect: checkExpect,
    asSchema: callback,
  } satisfies Record<keyof AiSdkOptions<SdkToolSet>, Check>,
  ['mode', 'toolChoice', 'expect', 'asSchema'],
)

/**
 * Tool search for the AI SDK. No other conversation sees `tools`. The session remembers which tools
 * were found; a new session reads them from the messages. If every request passes the same object as
 * `tools`, they are indexed once.
 *
 * @example
 * await generateText({ model, messages, ...aiSdk(session, { tools }), stopWhen: isStepCount(10) })
 *
 * @throws InvalidToolError if a tool has the name of the search tool, or is named `call_tool`
 * @throws InvalidOptionError
 */
export function aiSdk<TOOLS extends SdkToolSet>(
  session: Session,
  options: AiSdkOptions<TOOLS>,
): AiSdkSettings<TOOLS> {
  checkSession(session, 'session')
  checkSdkOptions(options, 'options')
  const { tools, mode: modeName = 'bridge', toolChoice, expect = false, asSchema } = options
  const mode = MODES[modeName]
  if (modeName === 'client' && session.resultIn === undefined) {
    fail(
      modeName,
      'mode',
      'use another mode: in this one, results contain only definitions, so the option result has no effect',
    )
  }
  const { searchTool } = session
  // the SDK cannot append definitions without a search, so what has no search is listed
  const reveal = mode.reveal === 'definition' ? 'list' : mode.reveal
  const result = resultFor(session, reveal)
  checkNames(tools, searchTool.name)
  const given = Object.entries<SdkTool>(tools)
  const searchable = given
    .filter(([, tool]) => tool.type !== 'provider')
    .map(([name, tool]) => ({
      name,
      tool,
      schema: readInputSchema(name, tool.inputSchema, asSchema),
    }))
  const named = [...given.map(([name]) => ({ name })), searchTool]
  const { fromProvider, inputFromProvider } = createProviderNames(named, ACCEPTED_EVERYWHERE)
  const provided = given.filter(([, tool]) => tool.type === 'provider').map(([name]) => name)
  const answers = new Map<string, CallAnswer>()
  const deferredTools = new Map<string, SdkRequestTool>()
  let opened: Promise<Session> | undefined
  let openedContext: unknown
  let latest: StepPlan | undefined

  const sdkTools: Record<string, SdkTool> = {
    ...tools,
    ...Object.fromEntries(searchable.map((entry) => [entry.name, guard(entry)])),
    [searchTool.name]: {
      description: searchTool.description,
      inputSchema: unvalidatedSchema(searchTool.inputSchema),
      execute: async (input: unknown) => (await search(input)).answer.text,
      ...mode.searchTool?.({
        definition: searchTool,
        search,
        hasOwnResult: session.resultIn === undefined,
        isDeferred: (name) => latest?.deferred.has(name) ?? false,
        isStrict: (name) => tools[name]?.strict === true,
        definitionOf,
      }),
    },
    [CALL_TOOL_NAME]: answeringTool(),
  }

  return {
    tools: sdkTools as TOOLS,
    ...(toolChoice && { toolChoice }),

    async prepareStep({ stepNumber, steps, messages, initialInstructions, toolsContext, ...step }) {
      checkModel(step.model, 'model')
      const scoped = await open(toolsContext)
      const choice = step.toolChoice ?? toolChoice
      const forced = typeof choice === 'object' ? choice.toolName : undefined
      const entries = messages.map(read)
      const last = entries.at(-1)
      const { record } = await scoped.snapshot()
      if (stepNumber === 0 && isNew(record)) await scoped.rebuild(messages, { read })
      const isDeferring = record.active || hasResultOf(searchTool.name, entries)
      const found = isDeferring ? scoped.loaded : []
      const revealed = new Set(reveal === 'call-tool' ? found : knownTools(entries, mode).revealed)
      // only a tool in the request can be forced
      if (forced !== undefined && !mode.asDeferred) revealed.delete(forced)
      const turn = await scoped.turn({
        usedTokens: steps.at(-1)?.usage.totalTokens ?? 0,
        ...(forced !== undefined && { toolChoice: forced }),
        ...expectedWords(expect, last && userText(last)),
        appendOnly: {
          reveal,
          revealed,
          places: () => placesOf(messages).slice(startOf(entries)),
        },
      })
      const plan = planStep(turn, revealed, mode)
      latest = plan
      const wire = createWire({
        mode,
        plan,
        notices: turn.notices ?? [],
        searchToolName: searchTool.name,
        provided,
        fromProvider,
        onDeferred: (tool) => deferredTools.set(tool.name, tool),
        answer: (call) => answerCall(call, plan),
      })
      const model: unknown = wireModel(step.model as SdkModel, wire)
      return {
        model: model as typeof step.model,
        ...(turn.system !== undefined && {
          instructions: withBlock(initialInstructions, turn.system),
        }),
        ...(choice && { toolChoice: choice }),
      }
    },
  }

  async function search(
    input: unknown,
    options?: SessionSearchOptions,
  ): ReturnType<Session['search']> {
    const scoped = await open()
    return scoped.search(inputFromProvider(input), { ...(result && { result }), ...options })
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

  /** The tool as the SDK gets it. Its `deferLoading` is for us. */
  function guard({ name, tool, schema }: (typeof searchable)[number]): SdkTool {
    const { deferLoading: _, ...rest } = tool
    const inputSchema = schema.guarded({
      // The SDK runs a call that was approved in an earlier process without asking a model.
      async check() {
        if ((await open()).tool(name) === undefined) throw new UnavailableToolError(name)
      },
      isSent: () =>
        latest === undefined ||
        latest.listed.has(name) ||
        (mode.asDeferred !== undefined && latest.deferred.has(name)),
    })
    return { ...rest, inputSchema }
  }

  /** Answers a call that must not run, judged by what the model knew when it made the call. */
  async function answerCall({ id, ...call }: WireCall, { visible }: StepPlan): Promise<boolean> {
    const scoped = await open()
    const { name } = call
    const isLate = !visible.has(name) && scoped.loaded.includes(name)
    const problems = isLate ? [`"${name}" was called before its definition was loaded`] : []
    const result = await scoped.answer({ ...call, problems })
    if (result.kind === 'run') return false
    answers.set(id, toCallAnswer(result, definitionOf))
    return true
  }

  /** The definition that the service got. The SDK converts schemas in its own way. */
  function definitionOf(tool: Tool): FoundTool {
    const sent = deferredTools.get(tool.name)
    return sent ? JSON.parse(JSON.stringify(sent)) : toolText(tool)
  }

  /** Returns the answers to calls that must not run. */
  function answeringTool(): SdkTool & Record<string, unknown> {
    const { name, description, inputSchema } = callTool(searchTool.name)
    return {
      description,
      inputSchema: unvalidatedSchema(inputSchema),
      async execute(input: unknown, { toolCallId }: { toolCallId: string }): Promise<CallAnswer> {
        const answer = answers.get(toolCallId)
        answers.delete(toolCallId)
        if (answer) return answer
        // The request did not go through our model, so all tools were listed.
        const call = unwrapCall({ name, arguments: input })
        return { text: `Call "${call.name}" directly, not through ${name}.` }
      },
      toModelOutput: ({ output }: { output: CallAnswer }) => answerOutput(output),
    }
  }
}

/** The SDK reports this error to the model. */
class UnavailableToolError extends ToolSearchError {
  override readonly name = 'UnavailableToolError'
  readonly code = 'unavailable_tool'

  constructor(tool: string) {
    super(`Tool "${tool}" is no longer available.`)
  }
}

const checkModel = check(
  (model) => isObject(model) && typeof model.doGenerate === 'function',
  'pass a model object, as the SDK passes it to prepareStep',
)

function checkNames(tools: SdkToolSet, searchToolName: string): void {
  if (Object.hasOwn(tools, searchToolName)) {
    const problem =
      'is the name of the search tool. Rename the search tool: createToolSearch({ searchTool })'
    throw new InvalidToolError(searchToolName, 'name', problem)
  }
  if (Object.hasOwn(tools, CALL_TOOL_NAME)) {
    throw new InvalidToolError(CALL_TOOL_NAME, 'name', 'is reserved. Rename the tool')
  }
}

function hasResultOf(toolName: string, entries: readonly Entry[]): boolean {
  return entries.some(({ parts }) =>
    parts.some((part) => part.type === 'result' && part.name === toolName),
  )
}

/** The first message that the service still reads: it drops everything before its own summary. */
function startOf(entries: readonly Entry[]): number {
  const isSummary = ({ parts }: Entry) => parts.some(({ type }) => type === 'summary')
  return Math.max(0, entries.findLastIndex(isSummary))
}

/** The definitions of each object with tools, for as long as the caller keeps it. */
const definedTools = new WeakMap<SdkToolSet, readonly ToolDefinition[]>()

/** Whether a session has no record of an earlier request. */
function isNew({ loaded, sent, seen }: SessionRecord): boolean {
  return loaded.length === 0 && sent.length === 0 && seen === undefined
}
