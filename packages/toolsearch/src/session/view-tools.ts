import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool } from '../catalogue/tool.ts'
import { type NameIndex, toolsNamed } from '../tool-search/name-index.ts'
import type { SearchView } from '../tool-search/search-view.ts'
import type { RemoteTools } from './remote-tools.ts'
import type { ToolDivision } from './tool-division.ts'

/** The tools that a caller may see. */
export type SeenTools = Pick<
  ToolDivision,
  'visible' | 'skills' | 'unlisted' | 'get' | 'skill' | 'isVisible'
>

export interface ViewToolsOptions {
  /** Read again and again, because an engine fetches tools while a search runs. */
  readonly seen: () => SeenTools
  readonly ranker: SearchView['ranker']
  /** May also find names that the caller must not see. */
  readonly findNames: NameIndex['find']
  readonly notReady: () => readonly SourceState[]
  readonly remote?: RemoteTools | undefined
}

/** What a search sees of these tools if it belongs to no conversation: nothing is hidden or loaded. */
export function viewTools({
  seen,
  ranker,
  findNames,
  notReady,
  remote,
}: ViewToolsOptions): SearchView {
  const { isVisible } = seen()
  return {
    ranker,
    get,
    spelled: (name) => toolsNamed(findNames(name), get),
    ...(isVisible && { isVisible }),
    tools,
    ...(remote && { unlisted: remote.unlisted, words: remote.words }),
    status: ({ skill }) => (skill ? 'skill' : 'found'),
    notReady,
    deferrable: count,
    alwaysOn: () => 0,
    remainingAfter: count,
  }

  function get(name: string): Tool | undefined {
    return seen().get(name) ?? seen().skill(name)
  }

  function tools(): readonly Tool[] {
    const { visible, skills } = seen()
    return skills.length === 0 ? visible : [...visible, ...skills]
  }

  function count(): number {
    const { visible, skills, unlisted = 0 } = seen()
    return visible.length + skills.length + unlisted
  }
}
