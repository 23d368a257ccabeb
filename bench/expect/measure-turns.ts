import { createToolSearch, estimateTokens, type ToolSearch } from 'toolsearch'
import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { providers } from '../../packages/toolsearch/src/providers/all-providers.fixtures.ts'
import { startConversation } from '../../packages/toolsearch/src/providers/converse.fixtures.ts'
import type { ProviderCase } from '../../packages/toolsearch/src/providers/provider.fixtures.ts'
import { pickEvenly } from '../evaluation/tuning-sets.ts'
import type { MeasuredSet } from '../learning/measure-learning.ts'
import { mean, sum } from '../statistics.ts'
import type { ExpectedTurns } from './expect-report.ts'
import { RANKERS } from './measure-expect.ts'

export const CONVERSATIONS = 5
export const TURNS = 10

/**
 * Plays conversations of ten user turns in every mode, with and without `expect`, through the clients
 * of the providers. The model only talks, so that everything that is added comes from `expect`.
 */
export async function measureTurns(
  set: MeasuredSet,
  ranker: string,
  progress: (step: string) => void,
): Promise<ExpectedTurns[]> {
  const served = set.queries.filter((query) => labelsOf(query).length > 0)
  const queries = pickEvenly(served, CONVERSATIONS * TURNS)
  const conversations = Array.from({ length: CONVERSATIONS }, (_, at) =>
    queries.filter((_query, index) => index % CONVERSATIONS === at),
  )
  const toolSearch = createToolSearch({
    tools: set.tools,
    ranker: RANKERS[ranker]!,
    activation: 'always',
  })
  const rows: ExpectedTurns[] = []
  for (const provider of providers) {
    for (const mode of provider.modes) {
      progress(`${set.name}, ${TURNS} turns, ${provider.name}, ${mode}`)
      const played: { with: Played; without: Played }[] = []
      for (const turns of conversations) {
        const play = { provider, mode, toolSearch, turns }
        played.push({ with: await playTurns(play, true), without: await playTurns(play, false) })
      }
      const total = (count: (one: Played) => number) => sum(played.map((one) => count(one.with)))
      const turns = sum(conversations.map(({ length }) => length))
      rows.push({
        set: set.name,
        way: `${provider.name}, ${mode}`,
        turns,
        announced: (100 * total(({ announced }) => announced)) / turns,
        right: (100 * total(({ right }) => right)) / turns,
        tokens: mean(played.map((one) => one.with.tokens - one.without.tokens)),
        twice: total(({ twice }) => twice),
        changedBytes: total(({ changedBytes }) => changedBytes),
        rejected: total(({ rejected }) => rejected),
      })
    }
  }
  return rows
}

interface Play {
  readonly provider: ProviderCase
  readonly mode: string
  readonly toolSearch: ToolSearch
  readonly turns: readonly EvaluationQuery[]
}

interface Played {
  readonly announced: number
  readonly right: number
  readonly twice: number
  /** Tokens of the last prompt. */
  readonly tokens: number
  readonly changedBytes: number
  readonly rejected: number
}

async function playTurns(play: Play, expect: boolean): Promise<Played> {
  const { provider, mode, toolSearch, turns } = play
  let added: string[] = []
  const all: string[] = []
  const session = await toolSearch.session(crypto.randomUUID(), {
    onSearch: ({ outcome }) => void added.push(...outcome.hits.map(({ tool }) => tool.name)),
  })
  const chat = await startConversation(provider, { mode, session, tools: [] })
  try {
    chat.messages = []
    let announced = 0
    let right = 0
    for (const query of turns) {
      const fits = new Set(labelsOf(query).flatMap((label) => [...label]))
      added = []
      chat.say(query.query)
      await chat.turn({ text: 'Done.' }, { expect })
      // a tool that an earlier turn added is still there
      all.push(...added)
      if (added.length > 0) announced += 1
      if (all.some((name) => fits.has(name))) right += 1
    }
    const prompts = chat.accepted().map(({ body }) => provider.service().promptOf(body).join('\n'))
    return {
      announced,
      right,
      twice: all.length - new Set(all).size,
      tokens: estimateTokens(prompts.at(-1)!),
      changedBytes: sum(prompts.slice(1).map((prompt, at) => changedBytes(prompts[at]!, prompt))),
      rejected: chat.server.requests.length - prompts.length,
    }
  } finally {
    await chat.close()
  }
}

/** Bytes of the earlier prompt that the later one does not start with. */
function changedBytes(before: string, after: string): number {
  if (after.startsWith(before)) return 0
  const [left, right] = [before, after].map((text) => Buffer.from(text)) as [Buffer, Buffer]
  return left.length - left.findIndex((byte, at) => byte !== right[at])
}
