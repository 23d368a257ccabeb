import type { CacheControl } from '../../catalogue/request-fields.ts'
import type { ToolText } from '../../tokens/tool-tokens.ts'
import { checkArguments } from '../../tool-search/check-arguments.ts'
import { PLACEHOLDER_TOOL } from '../deferred-tools.ts'
import { declaresDeferred } from '../modes.ts'
import { type ObjectSchema, objectSchema } from '../object-schema.ts'
import type { RequestPlan } from '../provider.ts'
import { fitsStrictMode, type StrictRules } from '../strict-schema.ts'
import { ADDITION_BETAS, COMPACTION_BETA, NATIVE_SEARCH } from './anthropic-modes.ts'
import { type AnthropicMessage, blocksOf, isSignedCompaction, text } from './blocks.ts'
import { limitBreakpoints } from './limit-breakpoints.ts'
import { type AnthropicToolset, TOOLSET_BETA } from './mcp-toolset.ts'

/** The tool-related part of a request. */
export interface AnthropicRequest<Message, Tool = AnthropicTool> {
  tools?: Tool[]
  tool_choice?: { type: 'tool'; name: string }
  // biome-ignore lint/suspicious/noExplicitAny: the caller's own value, possibly with a text block appended
  system?: any
  /** Present only if the mode requires beta features. Then call `client.beta.messages`. */
  betas?: string[]
  messages: Message[]
}

export type AnthropicTool =
  | {
      name: string
      description: string
      input_schema: ObjectSchema
      defer_loading?: true
      cache_control?: CacheControl
      strict?: true
      input_examples?: { [name: string]: unknown }[]
      // biome-ignore lint/suspicious/noExplicitAny: the values that a client's type allows depend on its version
      allowed_callers?: any[]
    }
  | {
      type: 'tool_search_tool_bm25_20251119'
      name: 'tool_search_tool_bm25'
      cache_control?: CacheControl
    }

export type { CacheControl }

export interface EncodeOptions {
  readonly cacheControl?: CacheControl | undefined
  readonly toolsets: readonly AnthropicToolset[]
}

export function encode<Message extends AnthropicMessage>(
  plan: RequestPlan<Message>,
  { cacheControl, toolsets }: EncodeOptions,
): AnthropicRequest<Message> {
  const { mode, searchTool, callTool, deferred, toolChoice } = plan
  const listed = [searchTool, callTool, ...plan.tools].filter((tool) => tool !== undefined)
  const hasNativeSearch = mode.search === 'provider' && (plan.canSearch || toolsets.length > 0)
  const searchCache = listed.length === 0 && cacheControl && { cache_control: cacheControl }
  const tools = [
    ...(plan.extraTools as readonly unknown[] as AnthropicTool[]),
    ...(hasNativeSearch ? [{ ...NATIVE_SEARCH, ...searchCache }] : []),
    ...listed.map((tool, index) =>
      definition(tool, (index === listed.length - 1 && cacheControl) || tool.cacheControl),
    ),
    ...(deferred.length > 0 ? deferred : placeholders(plan)).map(deferredDefinition),
    // Only the client's beta types include toolsets.
    ...(toolsets as readonly unknown[] as AnthropicTool[]),
  ]
  const betas = [
    ...(mode.reveal === 'definition' ? ADDITION_BETAS : []),
    ...(toolsets.length > 0 ? [TOOLSET_BETA] : []),
  ]
  // A caller who compacts enables this beta, but our list would replace the caller's.
  if (betas.length > 0 && hasSignedSummary(plan.messages)) betas.push(COMPACTION_BETA)
  const system = withAnnouncement(plan.system, plan.announcement)
  return {
    ...(system !== undefined && { system }),
    ...(tools.length > 0 && { tools: limitBreakpoints(tools, [system, plan.messages]) }),
    ...(toolChoice !== undefined && { tool_choice: { type: 'tool', name: toolChoice } }),
    ...(betas.length > 0 && { betas }),
    messages: withNotice(plan.messages, plan.notice),
  }
}

/** A tool without what must not be deferred: `cacheControl` is the caller's for the last tool. */
export function definition(tool: ToolText, cacheControl?: CacheControl): AnthropicTool {
  const { name, description, inputSchema, inputExamples = [], allowedCallers = [] } = tool
  const schema = objectSchema(inputSchema)
  const callers = allowedCallers.filter((caller) => /^(?:direct|code_execution_\d+)$/.test(caller))
  // Tools that programs call cannot be strict.
  const isStrict = tool.strict && callers.every((caller) => caller === 'direct')
  // The service rejects a request with an example that does not match the schema.
  const examples = inputExamples.filter((example) => checkArguments(schema, example).length === 0)
  return {
    name,
    description,
    input_schema: schema,
    ...(isStrict && fitsStrictMode(schema, STRICT_RULES) && { strict: true }),
    ...(examples.length > 0 && { input_examples: examples }),
    ...(callers.length > 0 && { allowed_callers: callers }),
    ...(cacheControl && { cache_control: cacheControl }),
  }
}

const STRICT_RULES: StrictRules = {
  optional: true,
  unsupported: [
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'minLength',
    'maxLength',
    'maxItems',
  ],
}

const encodedTools = new WeakMap<ToolText, AnthropicTool>()

/** A request can carry thousands of these, so each is encoded only once. */
function deferredDefinition(tool: ToolText): AnthropicTool {
  let encoded = encodedTools.get(tool)
  if (encoded === undefined) {
    encoded = { ...definition(tool), defer_loading: true } as AnthropicTool
    encodedTools.set(tool, encoded)
  }
  return encoded
}

/**
 * The first deferred tool of a conversation changes the start of the prompt. Declaring a placeholder
 * from the first request on prevents that when a server connects late.
 */
function placeholders({ mode, canSearch }: RequestPlan<unknown>): ToolText[] {
  return canSearch && declaresDeferred(mode) ? [PLACEHOLDER_TOOL] : []
}

function withAnnouncement(system: unknown, announcement: string | undefined): unknown {
  if (announcement === undefined) return system
  const before = typeof system === 'string' ? (system === '' ? [] : [text(system)]) : (system ?? [])
  return [...(before as readonly unknown[]), text(announcement)]
}

function hasSignedSummary([first]: readonly AnthropicMessage[]): boolean {
  return first !== undefined && blocksOf(first).some(isSignedCompaction)
}

/** Appends the notice to the last user message, so that everything before it stays unchanged. */
function withNotice<Message extends AnthropicMessage>(
  messages: readonly Message[],
  notice: string | undefined,
): Message[] {
  const at = messages.findLastIndex((message) => message.role === 'user')
  if (notice === undefined || at < 0) return [...messages]
  const message = messages[at]!
  return messages.with(at, { ...message, content: [...blocksOf(message), text(notice)] })
}
