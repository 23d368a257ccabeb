import type { Tool } from '../catalogue/tool.ts'
import { layeredRanker } from '../ranking/layered-ranker.ts'
import type { Ranker } from '../ranking/ranker.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { layerDivisions } from './layer-divisions.ts'
import type { ToolAccess, ToolDivision } from './tool-division.ts'
import type { ToolSet } from './tool-set.ts'

/** The tools of one conversation: its own ones on top of those it shares with others. */
export interface LayeredTools {
  divide(): ToolDivision
  ranker(): Pick<Ranker, 'rank' | 'prepare' | 'vectors'>
  /** The names with this spelling in both layers, visible or not. */
  findNames(spelling: string): readonly string[]
}

export interface LayerOptions {
  readonly base: ToolSet
  readonly own: ToolSet
  /** Which tools of both layers the caller may see. */
  readonly access: ToolAccess | undefined
  readonly countTokens: CountTokens
}

/**
 * Reads both layers and changes neither. It compares versions instead of subscribing to changes, so
 * the layers do not keep it in memory.
 */
export function layerTools({ base, own, access, countTokens }: LayerOptions): LayeredTools {
  const divideBase = base.divider(access)
  const divideOwn = own.divider(access)
  let lower: ToolDivision | undefined
  let upper: ToolDivision | undefined
  let division: ToolDivision | undefined
  let ranker: Pick<Ranker, 'rank' | 'prepare' | 'vectors'> | undefined

  return {
    divide() {
      if (isEmpty()) return divideBase()
      const [nextLower, nextUpper] = [divideBase(), divideOwn()]
      if (division === undefined || lower !== nextLower || upper !== nextUpper) {
        lower = nextLower
        upper = nextUpper
        division = layerDivisions(lower, upper, { isOwn: own.tools.has, countTokens })
      }
      return division
    },
    ranker() {
      if (isEmpty()) return base.ranker()
      // without shared tools there are no statistics to combine
      if (base.tools.tools().length === 0) return own.ranker()
      ranker ??= layeredRanker({
        base: base.ranker(),
        own: own.ranker(),
        isOwn: own.tools.has,
        placeOf: (name) => {
          const places = placesIn(base.tools.tools())
          return places.get(name) ?? places.size + placesIn(own.tools.tools()).get(name)!
        },
      })
      return ranker
    },
    findNames(spelling) {
      const shared = base.names().find(spelling)
      if (isEmpty()) return shared
      return [...new Set([...shared, ...own.names().find(spelling)])]
    },
  }

  function isEmpty(): boolean {
    return own.tools.tools().length === 0
  }
}

/** By list, which is a new one after each change. */
const knownPlaces = new WeakMap<readonly Tool[], ReadonlyMap<string, number>>()

function placesIn(tools: readonly Tool[]): ReadonlyMap<string, number> {
  const places =
    knownPlaces.get(tools) ?? new Map(tools.map(({ name }, place) => [name, place] as const))
  knownPlaces.set(tools, places)
  return places
}
