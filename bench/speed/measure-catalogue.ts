import type { CatalogueSource, ChildResult, ChildTask, TimesTask } from './child.ts'
import type { BenchQuery } from './choose-queries.ts'
import type { Engine } from './engine.ts'
import { ENGINES } from './engines.ts'
import type { BuildFigures } from './measure-build.ts'
import type { SessionFigures } from './measure-session.ts'
import type { Effort } from './measure-times.ts'
import { type CatalogueFigures, valuesOf } from './speed-report.ts'

export interface CatalogueEffort extends Effort {
  /** The number of fresh processes in which all engines take turns. */
  readonly processes: number
  /** How often each engine builds an index in a process of its own. */
  readonly builds: number
  readonly sessions: number
}

export interface CatalogueRequest {
  readonly source: CatalogueSource
  readonly engines: readonly Engine[]
  readonly queries: readonly BenchQuery[]
  readonly effort: CatalogueEffort
  readonly run: <Task extends ChildTask>(task: Task) => Promise<ChildResult<Task>>
  readonly report: (step: string) => void
}

const FIRST_QUERY = 'search the web'

/** Measures all engines with one size of catalogue, always in fresh processes, one at a time. */
export async function measureCatalogue(request: CatalogueRequest): Promise<CatalogueFigures> {
  const { source, engines, queries, effort, run } = request
  const report = (step: string, at: number, of: number) =>
    request.report(`${source.tools.toLocaleString('en')} tools: ${step}, ${at + 1} of ${of}`)

  const times: ChildResult<TimesTask>[] = []
  for (let at = 0; at < effort.processes; at++) {
    report('searching and changing', at, effort.processes)
    const names = engines.map(({ name }) => name)
    times.push(await run({ kind: 'times', source, engines: names, queries, effort }))
  }

  const builds = new Map<string, BuildFigures[]>()
  for (let at = 0; at < effort.builds; at++) {
    report('building, each engine in its own process', at, effort.builds)
    for (const { name: engine } of engines) {
      const figures = await run({ kind: 'build', source, engine, query: FIRST_QUERY })
      builds.set(engine, [...(builds.get(engine) ?? []), figures])
    }
  }

  const sessions: SessionFigures[] = []
  for (let at = 0; at < effort.sessions; at++) {
    report('a conversation', at, effort.sessions)
    sessions.push(await run({ kind: 'session', source, queries }))
  }

  const skipped = ENGINES.filter((engine) => !engines.includes(engine))
  return {
    tools: source.tools,
    engines: engines.map(({ name, side }) => ({
      name,
      side,
      values: {
        ...valuesOf(times.map((process) => process[name]!)),
        ...valuesOf(builds.get(name) ?? []),
      },
    })),
    session: valuesOf(sessions),
    skipped: skipped.map(({ name }) => name),
  }
}
