import { createToolSearch, estimateTokens } from 'toolsearch'
import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { openaiCompatible } from 'toolsearch/openai-compatible'
import { fieldedRanker, hybridRanker, type Ranker } from 'toolsearch/rankers'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import { pickEvenly } from '../evaluation/tuning-sets.ts'
import type { MeasuredSet } from '../learning/measure-learning.ts'
import { mean } from '../statistics.ts'
import type { ExpectedSet } from './expect-report.ts'

export const MODE = 'bridge'

export const RANKERS: Readonly<Record<string, () => Ranker>> = {
  keywords: () => fieldedRanker(),
  hybrid: () => hybridRanker({ vectors: loadStaticEmbedder() }),
}

interface Announced {
  readonly names: readonly string[]
  readonly right: number
  readonly tokens: number
  readonly changedBytes: number
}

/** Sends each request as the first message of a conversation, with and without `expect`. */
export async function measureExpect(
  { name, tools, queries }: MeasuredSet,
  ranker: string,
  count: number,
): Promise<ExpectedSet> {
  const toolSearch = createToolSearch({ tools, ranker: RANKERS[ranker]!, activation: 'always' })
  let conversations = 0
  const served = queries.filter((query) => labelsOf(query).length > 0)
  const unserved = queries.filter((query) => labelsOf(query).length === 0)
  const requests = await announceAll(pickEvenly(served, count))
  const others = await announceAll(pickEvenly(unserved, count))
  const added = requests.reduce((sum, { names }) => sum + names.length, 0)
  const fitting = requests.reduce((sum, { right }) => sum + right, 0)
  return {
    set: name,
    ranker,
    tools: tools.length,
    requests: requests.length,
    announced: share(requests, ({ names }) => names.length > 0),
    right: share(requests, ({ right }) => right > 0),
    precision: added === 0 ? 0 : (100 * fitting) / added,
    tokens: mean(requests.map(({ tokens }) => tokens)),
    unserved: others.length,
    falselyAnnounced: share(others, ({ names }) => names.length > 0),
    unservedTokens: others.length === 0 ? 0 : mean(others.map(({ tokens }) => tokens)),
    changedBytes: [...requests, ...others].reduce((sum, { changedBytes }) => sum + changedBytes, 0),
  }

  async function announceAll(queries: readonly EvaluationQuery[]): Promise<Announced[]> {
    const all: Announced[] = []
    for (const query of queries) all.push(await announce(query))
    return all
  }

  async function announce(query: EvaluationQuery): Promise<Announced> {
    const session = await toolSearch.session(`request ${conversations++}`)
    const adapter = openaiCompatible(session, { mode: MODE })
    const messages = [{ role: 'user', content: query.query }]
    const without = JSON.stringify(await adapter.request({ messages }))
    const request = JSON.stringify(await adapter.request({ messages, expect: true }))
    // the text is added to the last message, so both end in the same way
    const end = '"}]}'.length
    const before = without.slice(0, -end)
    const right = new Set(labelsOf(query).flatMap((label) => [...label]))
    return {
      names: session.loaded,
      right: session.loaded.filter((tool) => right.has(tool)).length,
      tokens: estimateTokens(JSON.parse(`"${request.slice(before.length, -end)}"`)),
      changedBytes: changedBytes(before, request),
    }
  }
}

function changedBytes(before: string, after: string): number {
  const [left, right] = [before, after].map((text) => Buffer.from(text)) as [Buffer, Buffer]
  return left.filter((byte, at) => byte !== right[at]).length
}

function share<Item>(items: readonly Item[], matches: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : (100 * items.filter(matches).length) / items.length
}
