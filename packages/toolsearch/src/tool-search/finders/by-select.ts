import type { Tool } from '../../catalogue/tool.ts'
import { namedTools } from '../named-tools.ts'
import type { SearchView } from '../search-view.ts'
import type { Finder } from './finder.ts'
import { omitted, toHit } from './hits.ts'

export interface BySelectOptions {
  /** How many names a query may select. */
  readonly most?: number
  /** Whether a name that does not exist selects the tools with this name in another spelling. */
  readonly spelled?: boolean
}

/** `select:a,b`: the tools with these names, whatever the limit. */
export function bySelect({ most = Infinity, spelled = false }: BySelectOptions = {}): Finder {
  return ({ query }, view) => {
    if (query.kind !== 'select') return undefined
    const { names } = query
    const requested = names.slice(0, most).map((name) => ({ name, tools: find(name, view) }))
    const found = new Set(requested.flatMap(({ tools }) => tools))
    return {
      form: 'select',
      hits: [...found].map((tool) => toHit(view, { tool })),
      missing: requested.filter(({ tools }) => tools.length === 0).map(({ name }) => name),
      omitted: omitted(names.slice(most)),
    }
  }

  function find(name: string, view: SearchView): readonly Tool[] {
    const tool = view.get(name)
    if (tool) return [tool]
    return spelled ? namedTools(name, view).distinctive : []
  }
}
