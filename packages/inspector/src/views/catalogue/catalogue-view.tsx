import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { ToolLine, ToolList } from '../../api/contract.ts'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { useOverview } from '../../overview-context.ts'
import { announce } from '../../parts/announce.tsx'
import { formatCount, formatMany } from '../../parts/format.ts'
import { PageHead } from '../../parts/panel.tsx'
import { Answered, Empty, Failed } from '../../parts/states.tsx'
import { SimilarNames } from '../../parts/tool-link.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { openRoute, updateRoute } from '../../routes/use-route.ts'
import { filterTools } from './filter-tools.ts'
import { HiddenTools } from './hidden-tools.tsx'
import { ToolFilters } from './tool-filters.tsx'
import { ToolPage } from './tool-page.tsx'
import { ToolRow } from './tool-row.tsx'

/** The maximum an agent can request. */
const LIMIT = 25

export function CatalogueView({ route }: ViewProps): JSX.Element {
  const { query = '', tool } = route.params
  const list = useAnswer('tools', (client, signal) => client.tools(signal))
  useReloadOn(list, 'tools')
  return (
    <div class="catalogue" data-open={tool !== undefined || undefined}>
      <div class="catalogue-list">
        <PageHead title="Catalogue" />
        <Answered answer={list} what="the tools">
          {(value) => <Filtered list={value} route={route} query={query} tool={tool} />}
        </Answered>
      </div>
      <div class="catalogue-tool">
        {tool === undefined ? (
          <Empty title="Nothing selected">
            <p>Select a tool or a skill to see its details, its cost and who can use it.</p>
          </Empty>
        ) : (
          <ToolPage key={tool} name={tool} route={route} />
        )}
      </div>
    </div>
  )
}

interface FilteredProps extends ViewProps {
  readonly list: ToolList
  readonly query: string
  readonly tool: string | undefined
}

function Filtered({ list, route, query, tool }: FilteredProps): JSX.Element {
  const wanted = query.trim()
  const found = useAnswer(
    wanted === '' ? undefined : `${list.version} ${wanted}`,
    (client, signal) => client.search({ query: wanted, limit: LIMIT }, signal),
  )
  const report = wanted === '' ? undefined : found.value
  const hits = useMemo(() => report && [...report.hits, ...report.candidates], [report])
  const findings = useOverview().value?.findings
  const { server, effect, state, cost, sort } = route.params
  const tools = useMemo(() => {
    const withIssues = new Set((findings ?? []).map((finding) => finding.tool))
    const filter = { server, effect, state, cost, sort }
    return filterTools(foundTools(list.tools, hits), filter, withIssues)
  }, [list.tools, hits, findings, server, effect, state, cost, sort])
  const hiddenTools = list.hidden.filter(
    (tool) =>
      (server === undefined || tool.server === server) &&
      (effect === undefined || tool.effect === effect),
  )
  const total = useMemo(() => countAll(list.tools), [list.tools])
  const isFiltered = tools.length < (hits ?? list.tools).length
  const box = useRef<HTMLDivElement>(null)

  function press(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    event.preventDefault()
    box.current?.querySelector<HTMLElement>('[role=listbox]')?.focus()
  }

  return (
    <>
      <div class="filter">
        <label for="filter">Filter by search</label>
        <input
          id="filter"
          type="search"
          value={query}
          placeholder="create an issue"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="filter-count"
          onInput={({ currentTarget }) => updateRoute(route, { query: currentTarget.value })}
          onKeyDown={press}
        />
        <ToolFilters route={route} hidden={list.hidden.length} isSearch={hits !== undefined} />
        <p id="filter-count" class="muted" role="status">
          {state === 'hidden'
            ? formatMany(hiddenTools.length, 'hidden tool')
            : hits === undefined && !isFiltered
              ? total
              : `${formatCount(tools.length)} of ${total}`}
        </p>
      </div>
      {found.error !== undefined && wanted !== '' && (
        <Failed error={found.error} retry={found.reload} />
      )}
      {state === 'hidden' ? (
        <HiddenTools tools={hiddenTools} />
      ) : tools.length === 0 ? (
        <NoTools query={wanted} isFiltered={isFiltered} closest={found.value?.closest ?? []} />
      ) : (
        <div ref={box} class="rows-frame" aria-busy={found.isPending}>
          <VirtualList<ToolLine>
            label="Tools"
            items={tools}
            rowHeight={48}
            keyOf={({ name }) => name}
            render={(line) => <ToolRow line={line} />}
            selected={tool}
            resetKey={`${hits === undefined ? '' : wanted} ${server} ${effect} ${state} ${cost} ${sort}`}
            onOpen={({ name }) => {
              if (name !== tool) openRoute({ ...route, params: { ...route.params, tool: name } })
              announce(`Opened ${name}`)
            }}
          />
        </div>
      )}
    </>
  )
}

function NoTools(props: {
  readonly query: string
  readonly isFiltered: boolean
  readonly closest: readonly string[]
}): JSX.Element {
  const { query, isFiltered, closest } = props
  if (isFiltered) {
    return (
      <Empty title="No tools match the filters">
        <p>Reset the filters to see all tools.</p>
      </Empty>
    )
  }
  if (query === '') {
    return (
      <Empty title="No tools yet">
        <p>No server has reported its tools. See the overview for the state of each server.</p>
      </Empty>
    )
  }
  return (
    <Empty title={`No tools match “${query}”`}>
      <SimilarNames names={closest} />
    </Empty>
  )
}

/** The found tools in the order of the hits; without a search, all tools. */
function foundTools(
  tools: readonly ToolLine[],
  hits: readonly { readonly name: string }[] | undefined,
): readonly ToolLine[] {
  if (hits === undefined) return tools
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  // A hit may be newer than the list.
  return hits.flatMap(({ name }) => byName.get(name) ?? [])
}

/** @example countAll(tools) // '12 tools and 1 skill' */
function countAll(tools: readonly ToolLine[]): string {
  const skills = tools.filter(({ isSkill }) => isSkill).length
  const others = formatMany(tools.length - skills, 'tool')
  return skills === 0 ? others : `${others} and ${formatMany(skills, 'skill')}`
}
