import type { ToolDefinition } from 'toolsearch'
import { providers } from '../../packages/toolsearch/src/providers/all-providers.fixtures.ts'
import type { ProviderCase } from '../../packages/toolsearch/src/providers/provider.fixtures.ts'
import { measurePrompts, type PromptCost } from './measure-prompts.ts'
import { type PlayedRequest, playConversation } from './play-conversation.ts'

/** What the conversation costs with one provider and mode. */
export interface ModeCost extends Omit<PromptCost, 'cachedByTurn'> {
  readonly way: string
  /** Size of the last request. */
  readonly bytes: number
  /** How much smaller the fixed part of a request is than with every tool, in percent. */
  readonly cutPercent: number
  /** How many times cheaper the conversation is than with every tool in every request, uncached. */
  readonly timesLess: number
  /** From this request on, the total stays below that of sending every tool with caching. */
  readonly belowEagerFrom: number | undefined
}

export async function compareModes(
  tools: readonly ToolDefinition[],
  progress: (step: string) => void,
): Promise<ModeCost[]> {
  const [first] = providers as [ProviderCase]
  progress(`${tools.length} tools, every tool in every request`)
  const all = await playConversation(first, { mode: 'append', tools, isEager: true })
  const eager = measurePrompts(all.map((request) => request.prompt))
  const rows = [describe('every tool in every request', all, eager)]

  const grown = await playConversation(first, { mode: 'append', tools })
  rows.push(
    describe('found tools inserted in catalogue order', inPlace(first, grown, tools), eager),
  )
  for (const provider of providers) {
    for (const mode of provider.modes) {
      progress(`${tools.length} tools, ${provider.name}, ${mode}`)
      const played = await playConversation(provider, { mode, tools })
      rows.push(describe(`${provider.name}, ${mode}`, played, eager))
    }
  }
  return rows
}

function describe(way: string, played: readonly PlayedRequest[], eager: PromptCost): ModeCost {
  const { cachedByTurn, ...cost } = measurePrompts(played.map((request) => request.prompt))
  const above = cachedByTurn.findLastIndex((sum, at) => sum > eager.cachedByTurn[at]!)
  return {
    way,
    ...cost,
    bytes: played.at(-1)?.bytes ?? 0,
    cutPercent: 100 * (1 - cost.standingTokens / eager.standingTokens),
    timesLess: eager.inputTokens / cost.cachedTokens,
    belowEagerFrom: above + 1 < cachedByTurn.length ? above + 2 : undefined,
  }
}

/** Inserts each found tool in the list where it was registered, as most agents do. */
function inPlace(
  provider: ProviderCase,
  played: readonly PlayedRequest[],
  tools: readonly ToolDefinition[],
): PlayedRequest[] {
  const places = new Map(tools.map((tool, at) => [tool.name, at]))
  const place = (tool: { name: string }) => places.get(tool.name) ?? -1
  return played.map(({ body, ...request }) => {
    const list = body.tools as { name: string }[]
    const sorted = { ...body, tools: list.toSorted((a, b) => place(a) - place(b)) }
    return { ...request, body: sorted, prompt: provider.service().promptOf(sorted) }
  })
}
