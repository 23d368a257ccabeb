import { estimateTokens, type Tool } from 'toolsearch'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { serverOf } from './server-of.ts'
import { toolCost } from './tool-cost.ts'

/** What tools cost in a request, and what it saves to find them by search. */
export interface CostReport {
  /** Dearest first. */
  readonly servers: readonly ServerCost[]
  readonly tools: number
  /** Tokens when every tool is in every request. */
  readonly eager: number
  /** Tokens of what the gateway lists instead. */
  readonly listed: number
  readonly savedPerTurn: number
  readonly savedPer100Turns: number
}

interface ServerCost {
  readonly server: string
  readonly tokens: number
  /** Of all servers' tokens. */
  readonly share: number
  /** Dearest first. */
  readonly tools: readonly { readonly name: string; readonly tokens: number }[]
}

export function costReport(tools: readonly Tool[], listed: readonly McpTool[]): CostReport {
  const bySource = new Map<string, { name: string; tokens: number }[]>()
  for (const tool of tools) {
    const entry = { name: tool.name, tokens: toolCost(tool) }
    const same = bySource.get(serverOf(tool))
    if (same) same.push(entry)
    else bySource.set(serverOf(tool), [entry])
  }
  const eager = sum([...bySource.values()].flat())
  const servers = [...bySource].map(([server, entries]) => ({
    server,
    tokens: sum(entries),
    share: eager === 0 ? 0 : sum(entries) / eager,
    tools: entries.toSorted((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1)),
  }))
  const listedTokens = listed.reduce(
    (total, { name, description = '', inputSchema = {} }) =>
      total + estimateTokens(JSON.stringify({ name, description, inputSchema })),
    0,
  )
  return {
    servers: servers.sort((a, b) => b.tokens - a.tokens || (a.server < b.server ? -1 : 1)),
    tools: tools.length,
    eager,
    listed: listedTokens,
    savedPerTurn: eager - listedTokens,
    savedPer100Turns: 100 * (eager - listedTokens),
  }
}

function sum(entries: readonly { tokens: number }[]): number {
  return entries.reduce((total, { tokens }) => total + tokens, 0)
}
