import type { ToolDefinition } from 'toolsearch'
import type { Rankings } from './contender.ts'
import { CONTENDERS } from './contenders.ts'

/** `rankInChild` runs this file in its own process, for one contender and one set. */
export interface RankTask {
  readonly contender: string
  readonly tools: readonly ToolDefinition[]
  readonly queries: readonly string[]
  readonly limit: number
}

process.once('message', (task) => {
  void run(task as RankTask).then((rankings) => {
    process.send?.(rankings, () => process.exit())
  })
})

async function run({ contender: name, tools, queries, limit }: RankTask): Promise<Rankings> {
  const contender = CONTENDERS.find((candidate) => candidate.name === name)
  if (contender === undefined) throw new Error(`There is no contender "${name}".`)
  const loaded = await contender.load()
  const rank = typeof loaded === 'function' ? loaded : loaded.rank
  return rank(tools, queries, limit)
}
