import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RunningCall } from '../../api/contract.ts'
import { Elapsed } from '../../parts/elapsed.tsx'
import { formatMany } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ServerMark } from '../../parts/server-mark.tsx'
import { QueryLink, ToolLink } from '../../parts/tool-link.tsx'

/** Searches and calls that have not finished yet, with the time they have taken so far. */
export function RunningCalls({ calls }: { readonly calls: readonly RunningCall[] }): JSX.Element {
  // The gateway's clock may differ from the browser's: count from the time that had passed.
  const received = useMemo(() => Date.now(), [calls])
  return (
    <Panel title="In progress" aside={formatMany(calls.length, 'call')}>
      <ul class="running">
        {calls.map(({ id, kind, tool, server, query, client, milliseconds }) => (
          <li key={id}>
            <Icon name={kind} />
            <div class="running-what">
              {query !== undefined ? <QueryLink query={query} /> : <ToolLink name={tool} />}
              <p class="muted">
                {server !== undefined && <ServerMark server={server} />} {client}
              </p>
            </div>
            <Elapsed since={received - milliseconds} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
