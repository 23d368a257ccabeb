import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { RankerInfo } from '../../api/contract.ts'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { ViewProps } from '../../app.tsx'
import { useOverview } from '../../overview-context.ts'
import { PageHead } from '../../parts/panel.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { Empty } from '../../parts/states.tsx'
import { updateRoute } from '../../routes/use-route.ts'
import { Examples } from './examples.tsx'
import { QueryForm } from './query-form.tsx'
import { rankMoves } from './rank-moves.ts'
import { ResultColumn } from './result-column.tsx'
import { SaveForm } from './save-form.tsx'
import { SavedQueries } from './saved-queries.tsx'
import { WhyNot } from './why-not.tsx'

export function SearchLabView({ route }: ViewProps): JSX.Element {
  const { query = '', ranker, compare, tool = '' } = route.params
  const rankers = useOverview().value?.rankers ?? NO_RANKERS
  const [marked, setMarked] = useState<{ query: string; tools: readonly string[] }>(NONE)
  // Narrow screens show one of two compared rankers at a time.
  const [shown, setShown] = useState<'0' | '1'>('0')
  const wanted = query.trim()
  const main = useSearch(wanted, ranker)
  const compared = useSearch(compare === undefined ? '' : wanted, compare)
  const expected = marked.query === wanted ? marked.tools : []
  const toggle = (name: string) =>
    setMarked({
      query: wanted,
      tools: expected.includes(name)
        ? expected.filter((each) => each !== name)
        : [...expected, name],
    })
  // The same element renders nothing again: typing must not wait for the list of saved queries.
  const saved = useMemo(
    () => <SavedQueries ranker={ranker} compare={compare} rankers={rankers} />,
    [ranker, compare, rankers],
  )
  const hitsOf = (answer: typeof main) => answer.value?.hits ?? []
  const tools = (
    <>
      <WhyNot
        query={wanted}
        ranker={ranker}
        tool={tool}
        onTool={(name) => updateRoute(route, { tool: name })}
        expected={expected}
        onToggle={toggle}
      />
      <SaveForm query={wanted} expected={expected} onToggle={toggle} />
    </>
  )
  return (
    <>
      <PageHead title="Search lab">
        Search as an agent would, and see why each tool ranks where it does.
      </PageHead>
      <QueryForm route={route} rankers={rankers} />
      {wanted === '' ? (
        <Empty title="Enter a query">
          <p>
            Use keywords as a model would, <code>+required</code> words,{' '}
            <code>select:exact_name</code>, or a name prefix.
          </p>
          <Examples />
        </Empty>
      ) : (
        <>
          {compare !== undefined && (
            <Segmented
              class="lab-tabs"
              label="Ranker to show"
              options={[
                { value: '0', title: titleOf(rankers, ranker) },
                { value: '1', title: titleOf(rankers, compare) },
              ]}
              value={shown}
              onChange={setShown}
            />
          )}
          <div class={compare === undefined ? 'lab' : 'lab lab-two'} data-shown={shown}>
            <ResultColumn
              answer={main}
              rankers={rankers}
              expected={expected}
              onToggle={toggle}
              below={compare === undefined && tools}
            />
            {compare !== undefined && (
              <ResultColumn
                answer={compared}
                rankers={rankers}
                expected={expected}
                onToggle={toggle}
                moves={rankMoves(hitsOf(compared), hitsOf(main))}
              />
            )}
          </div>
          {compare !== undefined && <div class="lab-tools">{tools}</div>}
        </>
      )}
      {saved}
    </>
  )
}

function titleOf(rankers: readonly RankerInfo[], id: string | undefined): string {
  const ranker = rankers.find((each) => (id === undefined ? each.isServing : each.id === id))
  return ranker?.title ?? id ?? 'Results'
}

const NO_RANKERS: readonly RankerInfo[] = []
const NONE = { query: '', tools: [] }

function useSearch(query: string, ranker: string | undefined) {
  const answer = useAnswer(query === '' ? undefined : `${ranker} ${query}`, (client, signal) =>
    client.search({ query, ranker }, signal),
  )
  // The report includes which servers are not ready.
  useReloadOn(answer, 'tools', 'servers')
  return answer
}
