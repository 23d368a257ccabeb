import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { useOverview } from '../../overview-context.ts'
import { PageHead } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { amendRoute } from '../../routes/use-route.ts'
import { QueryForm } from './query-form.tsx'
import { rankMoves } from './rank-moves.ts'
import { ResultColumn } from './result-column.tsx'
import { SaveForm } from './save-form.tsx'
import { SavedQueries } from './saved-queries.tsx'
import { WhyNot } from './why-not.tsx'

export function SearchLabView({ route }: ViewProps): JSX.Element {
  const { query = '', ranker, compare, tool = '' } = route.params
  const rankers = useOverview().value?.rankers ?? []
  const [right, setRight] = useState<{ query: string; tools: readonly string[] }>(NONE)
  const wanted = query.trim()
  const one = useSearch(wanted, ranker)
  const other = useSearch(compare === undefined ? '' : wanted, compare)
  const chosen = right.query === wanted ? right.tools : []
  const toggle = (name: string) =>
    setRight({
      query: wanted,
      tools: chosen.includes(name) ? chosen.filter((it) => it !== name) : [...chosen, name],
    })
  const hitsOf = (answer: typeof one) => answer.value?.hits ?? []
  const tools = (
    <>
      <WhyNot
        query={wanted}
        ranker={ranker}
        tool={tool}
        onTool={(name) => amendRoute(route, { tool: name })}
        right={chosen}
        onToggle={toggle}
      />
      <SaveForm query={wanted} right={chosen} onToggle={toggle} />
    </>
  )
  return (
    <>
      <PageHead title="Search lab">
        Search as an agent does, and see why the result is what it is.
      </PageHead>
      <QueryForm route={route} rankers={rankers} />
      {wanted === '' ? (
        <Empty title="Type a query">
          <p>
            Words as a model would write them, <code>+required</code> words,{' '}
            <code>select:exact_name</code>, or the beginning of a name.
          </p>
        </Empty>
      ) : (
        <>
          <div class={compare === undefined ? 'lab' : 'lab lab-two'}>
            <ResultColumn
              answer={one}
              rankers={rankers}
              right={chosen}
              onToggle={toggle}
              below={compare === undefined && tools}
            />
            {compare !== undefined && (
              <ResultColumn
                answer={other}
                rankers={rankers}
                right={chosen}
                onToggle={toggle}
                moves={rankMoves(hitsOf(other), hitsOf(one))}
              />
            )}
          </div>
          {compare !== undefined && <div class="lab-tools">{tools}</div>}
        </>
      )}
      <SavedQueries ranker={ranker} compare={compare} rankers={rankers} />
    </>
  )
}

const NONE = { query: '', tools: [] }

function useSearch(query: string, ranker: string | undefined) {
  const answer = useAnswer(query === '' ? undefined : `${ranker} ${query}`, (client, signal) =>
    client.search({ query, ranker }, signal),
  )
  // who is ready is told with the hits
  useReloadOn(answer, 'tools', 'servers')
  return answer
}
