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
  const servers = useOverview().value?.servers ?? []
  const isFiltered = filterKeys.some((key) => route.params[key] !== undefined)
  return (
    <div class="filters">
      <Choice
        route={route}
        param="server"
        label="Server"
        any="All servers"
        options={servers.map(({ name, isFolders }) => ({
          value: name,
          title: isFolders ? 'Skill folders' : name,
        }))}
      />
      <Choice
        route={route}
        param="effect"
        label="Effect"
        any="Any effect"
        options={[
          { value: 'read', title: 'Read-only' },
          { value: 'write', title: 'Writes' },
          { value: 'destructive', title: 'Destructive' },
        ]}
      />
      <Choice
        route={route}
        param="cost"
        label="Cost"
        any="Any cost"
        options={['200', '500', '1000', '1500'].map((value) => ({
          value,
          title: `≥ ${formatCount(Number(value))} tokens`,
        }))}
      />
      <Choice
        route={route}
        param="state"
        label="State"
        any="Any state"
        options={[
          { value: 'issues', title: 'With issues' },
          { value: 'changed', title: 'Changed' },
          { value: 'withheld', title: 'Withheld' },
          { value: 'pinned', title: 'Pinned' },
          { value: 'hidden', title: `Hidden (${hidden})` },
        ]}
      />
      <Choice
        route={route}
        param="sort"
        label="Order"
        any={isSearch ? 'Best match first' : 'By name'}
        options={[
          ...(isSearch ? [{ value: 'name', title: 'By name' }] : []),
          { value: 'tokens', title: 'Most tokens first' },
          { value: 'server', title: 'By server' },
        ]}
      />
      {isFiltered && (
        <button
          type="button"
          class="link"
          onClick={() =>
            updateRoute(route, Object.fromEntries(filterKeys.map((key) => [key, undefined])))
          }
        >
          Reset
        </button>
      )}
    </div>
  )
}
