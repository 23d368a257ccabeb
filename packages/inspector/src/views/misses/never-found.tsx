import type { JSX } from 'preact'
import type { MissReport } from '../../api/contract.ts'
import { formatCount, formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { ServerMark } from '../../parts/server-mark.tsx'
import { Empty } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { formatRoute } from '../../routes/route.ts'

type Tool = MissReport['neverFound'][number]

export interface NeverFoundProps {
  readonly tools: readonly Tool[]
  readonly searches: number
  /** How many searches it takes before "never found" means something. */
  readonly neededSearches: number
}

/** Tools that no search of the period returned. A click opens one in the search lab. */
export function NeverFound({ tools, searches, neededSearches }: NeverFoundProps): JSX.Element {
  const isKnown = searches >= neededSearches
  return (
    <Panel title="Never found" aside={isKnown && formatMany(tools.length, 'tool')}>
      {!isKnown ? (
        <Empty title="Not enough searches yet">
          <p>
            After {formatMany(neededSearches, 'search', 'searches')}, this lists the tools that none
            of them returned. So far there {searches === 1 ? 'is' : 'are'} {formatCount(searches)}.
          </p>
        </Empty>
      ) : tools.length === 0 ? (
        <Empty title="Searches have found every tool" />
      ) : (
        <div class="rows-frame never-found">
          <VirtualList<Tool>
            label="Tools that were never found"
            items={tools}
            rowHeight={32}
            keyOf={({ name }) => name}
            render={({ name, server }) => (
              <div class="row-main">
                <span class="row-name">{name}</span>
                <ServerMark server={server} />
              </div>
            )}
            onOpen={({ name }) => {
              location.hash = formatRoute('search', { query: likelyQuery(name), tool: name })
            }}
          />
        </div>
      )}
    </Panel>
  )
}

/** `files__read_text_file` → `read text file` */
function likelyQuery(name: string): string {
  return (name.split('__').at(-1) ?? name).replace(/[_-]+/g, ' ')
}
