import type { JSX } from 'preact'
import type { MissedSearch } from '../../api/contract.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatCount, formatTime } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { formatRoute } from '../../routes/route.ts'

const kinds: Record<MissedSearch['kind'], string> = {
  'nothing-found': 'found nothing',
  'low-confidence': 'low confidence',
  repeated: 'retried',
  'not-called': 'results unused',
}

export function MissedSearches(props: { readonly searches: readonly MissedSearch[] }): JSX.Element {
  const { searches } = props
  return (
    <Panel title="Searches" aside="most frequent first">
      {searches.length === 0 ? (
        <Empty title="No missed searches">
          <p>Agents used the results of every search so far.</p>
        </Empty>
      ) : (
        <ul class="missed">
          {searches.map((search) => (
            <MissedItem key={`${search.kind} ${search.query}`} search={search} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function MissedItem({ search }: { readonly search: MissedSearch }): JSX.Element {
  const { query, kind, times, lastAt, hits, candidates } = search
  return (
    <li>
      <span class="times">
        {formatCount(times)}
        <span class="unit">×</span>
      </span>
      <div class="missed-what">
        <a class="query" href={formatRoute('search', { query })}>
          {query}
          <Icon name="arrow" />
          <span class="visually-hidden"> in the search lab</span>
        </a>
        <p class="muted">
          <span class="tag" data-kind={kind}>
            {kinds[kind]}
          </span>{' '}
          last <time dateTime={lastAt}>{formatTime(lastAt)}</time>
          {hits.length > 0 && ` · found ${hits.join(', ')}`}
          {candidates.length > 0 && ` · candidates ${candidates.join(', ')}`}
        </p>
      </div>
      <CopyButton text={query} what={`the query ${query}`} />
    </li>
  )
}
