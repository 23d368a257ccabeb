import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { RankerInfo } from '../../api/contract.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import type { Route } from '../../routes/route.ts'
import { updateRoute } from '../../routes/use-route.ts'

export interface QueryFormProps {
  readonly route: Route
  readonly rankers: readonly RankerInfo[]
}

/** The query and the rankers. Every keystroke searches, so there is no submit button. */
export function QueryForm({ route, rankers }: QueryFormProps): JSX.Element {
  const { query = '', ranker, compare } = route.params
  const field = useRef<HTMLInputElement>(null)
  // People come to this view to type.
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const serving = rankers.find(({ isServing }) => isServing)
  return (
    <search class="query-form">
      <div class="query-field">
        <label for="query">Query</label>
        <div class="field-row">
          <input
            id="query"
            ref={field}
            type="search"
            value={query}
            placeholder="send a message to a channel"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => updateRoute(route, { query: currentTarget.value })}
          />
          <CopyButton text={query} what="the query" />
        </div>
      </div>
      <div class="query-option">
        <label for="ranker">Ranker</label>
        <select
          id="ranker"
          value={ranker ?? serving?.id ?? ''}
          onChange={({ currentTarget }) => updateRoute(route, { ranker: currentTarget.value })}
        >
          <Options rankers={rankers} />
        </select>
      </div>
      <div class="query-option">
        <label for="compare">Compare with</label>
        <select
          id="compare"
          value={compare ?? ''}
          onChange={({ currentTarget }) => updateRoute(route, { compare: currentTarget.value })}
        >
          <option value="">none</option>
          <Options rankers={rankers} />
        </select>
      </div>
    </search>
  )
}

function Options({ rankers }: Pick<QueryFormProps, 'rankers'>): JSX.Element {
  return (
    <>
      {rankers.map(({ id, title, isServing }) => (
        <option key={id} value={id}>
          {title}
          {isServing ? ' (active)' : ''}
        </option>
      ))}
    </>
  )
}
