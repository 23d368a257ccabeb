import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createToolSearch, type ToolDefinition } from 'toolsearch'
import { evaluate } from 'toolsearch/evaluation'
import { expect, it } from 'vitest'
import { answerOf } from './answer-of.ts'
import { type EvaluationSet, ownSet } from './evaluation-set.ts'
import { WHOLE_SEARCHES } from './rankers.ts'
import { requestSet } from './request-set.ts'

/** Invented skills of a company, with two requests for each. */
const SKILLS: readonly { name: string; description: string; requests: string[] }[] = readFileSync(
  join(import.meta.dirname, 'skills.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

/** As the gateway offers them. */
const skills: readonly ToolDefinition[] = SKILLS.map(({ name, description }) => ({
  name: `skill:local/${name}`,
  description,
  skill: { instructions: '', tools: [] },
}))

const search = (tools: readonly ToolDefinition[]) =>
  createToolSearch({ tools, ...WHOLE_SEARCHES['unified-hybrid-languages'] })

const sets: [string, () => EvaluationSet][] = [
  ['286 invented tools', ownSet],
  ['the tools of published servers', requestSet],
]

it.each(sets)('skills are found among %s, and push none of them out', async (_, readSet) => {
  const { tools, queries } = readSet()
  const both = search([...tools, ...skills])
  const ranks = SKILLS.flatMap(({ name, requests }) =>
    requests.map((request) =>
      answerOf(both.search(request, { limit: 5 })).names.indexOf(`skill:local/${name}`),
    ),
  )
  const within = (count: number) =>
    ranks.filter((rank) => rank >= 0 && rank < count).length / ranks.length
  // 80 and 100 %, 85 and 95 %
  expect(within(1)).toBeGreaterThan(0.75)
  expect(within(3)).toBeGreaterThan(0.9)

  const recall = async (searched: typeof both) => {
    const run = (query: string, limit: number) => answerOf(searched.search(query, { limit }))
    const { scores } = (await evaluate(run, queries, { limit: 5 })).all
    return scores!.recallAt5
  }
  // 0.6 points and none
  expect(await recall(both)).toBeGreaterThan((await recall(search(tools))) - 0.01)
})
