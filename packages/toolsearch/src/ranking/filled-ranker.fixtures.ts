import type { Tool } from '../catalogue/tool.ts'
import { layeredRanker } from './layered-ranker.ts'
import type { Ranker, Ranking } from './ranker.ts'

export function filledRanker(create: () => Ranker, tools: readonly Tool[]): Ranker {
  const ranker = create()
  for (const tool of tools) ranker.set(tool)
  return ranker
}

export function filledLayers(
  create: () => Ranker,
  base: readonly Tool[],
  own: readonly Tool[],
): ReturnType<typeof layeredRanker> {
  const names = own.map(({ name }) => name)
  const order = [...new Set([...base, ...own].map(({ name }) => name))]
  return layeredRanker({
    base: filledRanker(create, base),
    own: filledRanker(create, own),
    isOwn: (name) => names.includes(name),
    placeOf: (name) => order.indexOf(name),
  })
}

/** Everything a ranking says, with the explanation of each hit. */
export function rankingFacts({ hits, explain, peaks: _, ...rest }: Ranking): {
  readonly hits: readonly unknown[]
  readonly parts: readonly unknown[]
} {
  return {
    ...rest,
    hits: hits.map(({ tool, score }) => [tool.name, tool.description, score]),
    parts: hits.map(({ tool }) => explain?.(tool.name)),
  }
}
