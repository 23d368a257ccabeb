import { estimateTokens, type Tool, toolTokens } from 'toolsearch'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { serverOf } from './tool-summary.ts'

/** How many tokens tools take in a request, and how many tool search saves. */
export interface CostReport {
  /** Most expensive first. */
  readonly servers: readonly ServerCost[]
  readonly tools: number
  /** Tokens per request if every tool were listed. */
  readonly eager: number
  /** Tokens per request for what the gateway lists instead. */
  readonly listed: number
  /** Never negative; see `extraPerTurn`. */
  readonly savedPerTurn: number
  readonly savedPer100Turns: number
  /** How many tokens more than every tool the gateway's own tools take, if there are few tools. */
  readonly extraPerTurn: number
  /** What to do if tool search saves nothing, for people. */
  readonly advice?: string
}

interface ServerCost {
  readonly server: string
  readonly tokens: number
  /** Fraction of the tokens of all servers. */
  readonly share: number
  /** Most expensive first. */
  readonly tools: readonly { readonly name: string; readonly tokens: number }[]
}

export function costReport(all: readonly Tool[], listed: readonly McpTool[]): CostReport {
  // No request would list skills.
  const tools = all.filter(({ skill }) => !skill)
  const byServer = new Map<string, Tool[]>()
  for (const tool of tools) {
    const own = byServer.get(serverOf(tool))
    if (own) own.push(tool)
    else byServer.set(serverOf(tool), [tool])
  }
  const eager = sum(tools.map(toolCost))
  const servers = [...byServer].map(([server, own]) => {
    const entries = own.map((tool) => ({ name: tool.name, tokens: toolCost(tool) }))
    const tokens = sum(entries.map((entry) => entry.tokens))
    return {
      server,
      tokens,
      share: eager === 0 ? 0 : tokens / eager,
      tools: entries.sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1)),
    }
  })
  const listedTokens = sum(
    listed.map(({ name, description = '', inputSchema = {} }) =>
      estimateTokens(JSON.stringify({ name, description, inputSchema })),
    ),
  )
  // Without tools, there is nothing to compare with yet.
  const gain = tools.length === 0 ? 0 : eager - listedTokens
  return {
    servers: servers.sort((a, b) => b.tokens - a.tokens || (a.server < b.server ? -1 : 1)),
    tools: tools.length,
    eager,
    listed: listedTokens,
    savedPerTurn: Math.max(0, gain),
    savedPer100Turns: 100 * Math.max(0, gain),
    extraPerTurn: Math.max(0, -gain),
    ...(gain < 0 && { advice: adviceFor(-gain) }),
  }
}

function adviceFor(extra: number): string {
  const tokens = `${extra.toLocaleString('en-GB')} ${extra === 1 ? 'token' : 'tokens'}`
  return (
    `With so few tools, tool search costs ${tokens} more per request than it saves. ` +
    'Set "mode": "auto" to list all tools until there are more of them.'
  )
}

const costs = new WeakMap<Tool, number>()

/** Tokens a tool takes in a request. Cached per definition, because counting thousands is slow. */
export function toolCost(tool: Tool): number {
  let tokens = costs.get(tool)
  if (tokens === undefined) {
    tokens = toolTokens(tool, estimateTokens)
    costs.set(tool, tokens)
  }
  return tokens
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
