import type { JSX } from 'preact'
import type { MissReport } from '../../api/contract.ts'
import { formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { ServerMark } from '../../parts/server-mark.tsx'
import { Empty } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { formatRoute } from '../../routes/route.ts'

type Tool = MissReport['neverFound'][number]

/** Tools that no search has returned so far. A click opens one in the search lab. */
export function NeverFound({ tools }: { readonly tools: readonly Tool[] }): JSX.Element {
  return (
    <Panel title="Never found" aside={formatMany(tools.length, 'tool')}>
      {tools.length === 0 ? (
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
