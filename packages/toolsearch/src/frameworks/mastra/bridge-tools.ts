import type { FrameworkBridge } from '../../bridge/bridge.ts'
import type { Tool } from '../../catalogue/tool.ts'
import { readOutput } from '../../outputs/read-output.ts'
import type { Session } from '../../session/session.ts'
import type { ToolText } from '../../tokens/tool-tokens.ts'
import { callTool } from '../../tool-search/call-tool.ts'
import { argumentFields } from '../../tool-search/parse-arguments.ts'
import type { SearchTool } from '../../tool-search/search-behaviour.ts'
import type {
  ApprovalContext,
  MastraTool,
  MastraToolContext,
  RunApproval,
} from './mastra-shapes.ts'
import { originalOf } from './mastra-tools.ts'
import { modelOutput } from './model-output.ts'

/** The result of our tools in the stored messages. The model reads `output`, then `news`. */
export interface BridgeToolResult {
  /** The tool that ran, if one did. */
  readonly tool?: string
  readonly output: unknown
  readonly isError?: boolean
  /** News about added and removed tools, if they cannot be a message. */
  readonly news?: string
}

/** Mastra recognises its tools by this key, and passes its own context to their `execute`. */
const MASTRA_TOOL = Symbol.for('mastra.core.tool.Tool')

/** Where the tools find the conversation of a call, and the tools of the catalogue. */
export interface BridgeSource {
  readonly searchTool: SearchTool
  open(context: MastraToolContext): Promise<OpenBridge>
  tools(): readonly Tool[]
  tool(name: string): Tool | undefined
  /** The approvals that the run asks for. They apply to tools without a function of their own. */
  readonly runApproval: RunApproval
}

interface OpenBridge {
  readonly bridge: FrameworkBridge
  readonly session: Session
}

/** The search tool and the call tool as tools of Mastra. */
export function bridgeTools(source: BridgeSource): Record<string, object> {
  const { searchTool } = source
  const callingTool = callTool(searchTool.name)
  const needsApproval = source.tools().some((tool) => hasApproval(originalOf(tool)))
  return {
    [searchTool.name]: {
      ...definitionOf(searchTool),
      toModelOutput,
      async execute(input: unknown, context: MastraToolContext): Promise<BridgeToolResult> {
        const { bridge } = await source.open(context)
        const { text, isError } = await bridge.search(input)
        return withNews({ output: text, isError }, bridge.takeNews())
      },
    },
    [callingTool.name]: {
      ...definitionOf(callingTool),
      toModelOutput,
      execute,
      // Mastra ignores the approvals of the run for a tool with such a function, so set it only if needed.
      ...(needsApproval && { requireApproval }),
    },
  }

  async function execute(
    input: unknown,
    context: MastraToolContext,
  ): Promise<BridgeToolResult | undefined> {
    const { bridge, session } = await source.open(context)
    const checked = await bridge.check(input)
    if (checked.kind === 'answer') {
      return withNews({ output: checked.text, isError: checked.isError }, bridge.takeNews())
    }
    const tool = checked.tool.name
    const original = originalOf(checked.tool)
    if (original?.execute === undefined) {
      const { abortSignal: signal } = context
      const done = await session.execute(checked, signal && { signal })
      if (done.kind === 'run') {
        throw new Error(`Tool "${tool}" has no execute function, so it cannot run.`)
      }
      const output = done.isError ? done.text : done.output
      return withNews({ tool, output, isError: done.isError }, bridge.takeNews())
    }
    // Mastra skips the validation of the input for a context that it has validated: pass a copy.
    const output = await original.execute(innerArguments(input), { ...context })
    // Mastra must see that a suspended tool returned nothing.
    if (output === undefined) return undefined
    // a tool with its own mapping would drop the news
    return withNews({ tool, output }, original.toModelOutput ? undefined : bridge.takeNews())
  }

  async function toModelOutput(result: BridgeToolResult): Promise<unknown> {
    const { tool, output, isError, news } = result
    const original = tool === undefined ? undefined : originalOf(source.tool(tool))
    const mapped = await original?.toModelOutput?.(output)
    if (mapped !== undefined) return mapped
    const read = readOutput(output)
    const parts =
      news === undefined ? read.parts : [...read.parts, { type: 'text' as const, text: news }]
    return modelOutput({ parts, isError: isError || read.isError })
  }

  /** Decides as Mastra does for a tool that it calls itself. */
  function requireApproval(input: unknown, context: ApprovalContext): unknown {
    const original = originalOf(source.tool(String(argumentFields(input).name)))
    const own = original?.needsApprovalFn ?? original?.requireApproval
    const args = innerArguments(input)
    if (typeof own === 'function') return own(args, { ...context, args })
    const { runApproval } = source
    if (own === true || typeof runApproval !== 'function') return own === true || runApproval
    return runApproval({ ...context, toolName: callingTool.name })
  }
}

function withNews(result: BridgeToolResult, news: string | undefined): BridgeToolResult {
  return news === undefined ? result : { ...result, news }
}

/** A tool that is never hidden. */
export function listedTool(tool: Tool): object {
  const { execute } = tool
  return originalOf(tool) ?? { ...definitionOf(tool), ...(execute && { execute }) }
}

/**
 * Mastra closes every object of a JSON Schema, and of any schema unless its tool is not strict: the model
 * could pass no arguments to `call_tool`. We validate the input ourselves.
 */
function definitionOf({ name, description, inputSchema }: ToolText): object {
  const convert = () => inputSchema
  const standard = {
    version: 1,
    vendor: 'toolsearch',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: convert, output: convert },
  }
  return {
    [MASTRA_TOOL]: true,
    id: name,
    description,
    inputSchema: { '~standard': standard },
    strict: false,
  }
}

function innerArguments(input: unknown): Record<string, unknown> {
  return argumentFields(argumentFields(input).arguments)
}

function hasApproval({ requireApproval, needsApprovalFn }: Partial<MastraTool> = {}): boolean {
  return Boolean(needsApprovalFn ?? requireApproval)
}
