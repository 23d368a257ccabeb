import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool } from '../catalogue/tool.ts'
import { type NameIndex, toolsNamed } from '../tool-search/name-index.ts'
import type { SearchView } from '../tool-search/search-view.ts'
import type { RemoteTools } from './remote-tools.ts'
import type { ToolDivision } from './tool-division.ts'

/** The tools that a caller may see. */
export type VisibleTools = Pick<
  ToolDivision,
  'visible' | 'skills' | 'beyond' | 'get' | 'skill' | 'isVisible'
>

export interface ViewToolsOptions {
  /** Read again and again, because an engine fetches tools while a search runs. */
  readonly visible: () => VisibleTools
  readonly ranker: SearchView['ranker']
  /** May also find names that the caller must not see. */
  readonly findNames: NameIndex['find']
  readonly notReady: () => readonly SourceState[]
  readonly remote?: RemoteTools | undefined
}

/** What a search sees of these tools if it belongs to no conversation: nothing is hidden or loaded. */
export function viewTools({
  visible,
  ranker,
  findNames,
  notReady,
  remote,
}: ViewToolsOptions): SearchView {
  const { isVisible } = visible()
  return {
    ranker,
    get,
    spelled: (name) => toolsNamed(findNames(name), get),
    ...(isVisible && { isVisible }),
    tools,
    ...(remote && { beyond: remote.beyond, words: remote.words }),
    status: ({ skill }) => (skill ? 'skill' : 'found'),
    notReady,
    deferrable: count,
    eager: () => 0,
    remainingAfter: count,
  }

  function get(name: string): Tool | undefined {
    return visible().get(name) ?? visible().skill(name)
  }

  function tools(): readonly Tool[] {
    const { visible: tools, skills } = visible()
    return skills.length === 0 ? tools : [...tools, ...skills]
  }

  function count(): number {
    const { visible: tools, skills, beyond = 0 } = visible()
    return tools.length + skills.length + beyond
  }
}
