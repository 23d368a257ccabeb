import type { JSX } from 'preact'
import type { MissedSearch, MissKind } from '../../api/contract.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatCount, formatDate, formatMany } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { QueryLink, ToolLink } from '../../parts/tool-link.tsx'
import { formatRoute } from '../../routes/route.ts'
import { missLabels } from './miss-labels.ts'

export function MissedSearches(props: { readonly searches: readonly MissedSearch[] }): JSX.Element {
  const { searches } = props
  return (
    <Panel title="Missed searches" aside="similar ones together, most frequent first">
      {searches.length === 0 ? (
        <Empty title="No missed searches">
          <p>Agents used the results of every search in this period.</p>
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
  const { query, queries, kinds, times, lastAt, hits, candidates, clients } = search
  const others = queries.filter((each) => each.query !== query)
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
          {Object.entries(kinds).map(([kind, count]) => (
            <span key={kind} class="tag" data-kind={kind}>
              {missLabels[kind as MissKind]}
              {count > 1 && ` ${formatCount(count)}×`}
            </span>
          ))}{' '}
          last <time dateTime={lastAt}>{formatDate(lastAt)}</time>
          {clients.length > 0 && ` by ${clients.join(', ')}`}
        </p>
        <Found label="Found" names={hits} />
        <Found label="Candidates" names={candidates} />
        {others.length > 0 && (
          <details>
            <summary>{formatMany(others.length, 'similar query', 'similar queries')}</summary>
            <ul class="plain">
              {others.map((each) => (
                <li key={each.query}>
                  <QueryLink query={each.query} />{' '}
                  <span class="muted">{formatCount(each.times)}×</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <CopyButton text={query} what={`the query ${query}`} />
    </li>
  )
}

interface FoundProps {
  readonly label: string
  readonly names: readonly string[]
}

const SHOWN = 3

function Found({ label, names }: FoundProps): JSX.Element | null {
  if (names.length === 0) return null
  return (
    <p class="muted missed-found">
      {label}{' '}
      {names.slice(0, SHOWN).map((name) => (
        <ToolLink key={name} name={name} />
      ))}
      {names.length > SHOWN && <span>and {formatCount(names.length - SHOWN)} more</span>}
    </p>
  )
}
