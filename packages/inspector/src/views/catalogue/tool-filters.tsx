import type { JSX } from 'preact'
import { useOverview } from '../../overview-context.ts'
import { Choice } from '../../parts/choice.tsx'
import { formatCount } from '../../parts/format.ts'
import type { Route } from '../../routes/route.ts'
import { updateRoute } from '../../routes/use-route.ts'

export interface ToolFiltersProps {
  readonly route: Route
  /** Number of tools that the configuration hides. */
  readonly hidden: number
  /** Whether the tools come from a search, best first. */
  readonly isSearch: boolean
}

const filterKeys = ['server', 'effect', 'state', 'cost', 'sort'] as const

/** Filters by server, effect, state and cost, and the order. All of them are part of the URL. */
export function ToolFilters({ route, hidden, isSearch }: ToolFiltersProps): JSX.Element {
  const { server, effect, state, cost, sort } = route.params
  const servers = useOverview().value?.servers ?? []
  const set = (change: Record<string, string | undefined>) => updateRoute(route, change)
  const isFiltered = filterKeys.some((key) => route.params[key] !== undefined)
  return (
    <div class="filters">
      <Choice
        label="Server"
        any="All servers"
        value={server}
        options={servers.map(({ name }) => name)}
        onChange={(value) => set({ server: value })}
      />
      <Choice
        label="Effect"
        any="Any effect"
        value={effect}
        options={[
          { value: 'read', title: 'Read-only' },
          { value: 'write', title: 'Writes' },
          { value: 'destructive', title: 'Destructive' },
        ]}
        onChange={(value) => set({ effect: value })}
      />
      <Choice
        label="Cost"
        any="Any cost"
        value={cost}
        options={['200', '500', '1000', '1500'].map((value) => ({
          value,
          title: `≥ ${formatCount(Number(value))} tokens`,
        }))}
        onChange={(value) => set({ cost: value })}
      />
      <Choice
        label="State"
        any="Any state"
        value={state}
        options={[
          { value: 'issues', title: 'With issues' },
          { value: 'changed', title: 'Changed' },
          { value: 'withheld', title: 'Withheld' },
          { value: 'pinned', title: 'Pinned' },
          { value: 'hidden', title: `Hidden (${hidden})` },
        ]}
        onChange={(value) => set({ state: value })}
      />
      <Choice
        label="Order"
        any={isSearch ? 'Best match first' : 'By name'}
        value={sort}
        options={[
          ...(isSearch ? [{ value: 'name', title: 'By name' }] : []),
          { value: 'tokens', title: 'Most tokens first' },
          { value: 'server', title: 'By server' },
        ]}
        onChange={(value) => set({ sort: value })}
      />
      {isFiltered && (
        <button
          type="button"
          class="link"
          onClick={() => set(Object.fromEntries(filterKeys.map((key) => [key, undefined])))}
        >
          Reset
        </button>
      )}
    </div>
  )
}
