import type { ToolDefinition } from 'toolsearch'
import type { Rankings } from './contender.ts'
import { CONTENDERS } from './contenders.ts'

/** `rankInChild` runs this file in its own process, for one contender and one set. */
export interface RankTask {
  readonly contender: string
  readonly tools: readonly ToolDefinition[]
  readonly runs: readonly RankRun[]
  readonly limit: number
}

/** Each run has an index of its own. */
export interface RankRun {
  readonly queries: readonly string[]
  /**
   * Tools to index after those of the set, in place of any with the same name.
   * @default []
   */
  readonly added?: readonly ToolDefinition[]
}

process.once('message', (task) => {
  void run(task as RankTask).then((rankings) => {
    process.send?.(rankings, () => process.exit())
  })
})

async function run({ contender: name, tools, runs, limit }: RankTask): Promise<Rankings[]> {
  const contender = CONTENDERS.find((candidate) => candidate.name === name)
  if (contender === undefined) throw new Error(`There is no contender "${name}".`)
  const loaded = await contender.load()
  const rank = typeof loaded === 'function' ? loaded : loaded.rank
  const rankings: Rankings[] = []
  for (const { queries, added = [] } of runs) {
    const replaced = new Set(added.map((tool) => tool.name))
    const kept = tools.filter((tool) => !replaced.has(tool.name))
    rankings.push(await rank([...kept, ...added], queries, limit))
  }
  return rankings
}
