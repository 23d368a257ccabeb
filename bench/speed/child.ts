import type { BenchQuery } from './choose-queries.ts'
import { ENGINES } from './engines.ts'
import { type BuildFigures, measureBuild } from './measure-build.ts'
import { measureSession, type SessionFigures } from './measure-session.ts'
import { type Effort, measureTimes, type Times } from './measure-times.ts'
import { readCatalogue } from './read-catalogue.ts'
import { repeatTools } from './repeat-tools.ts'

/** A process that measures one thing. `runChild` starts it and sends the task. */
export type ChildTask = TimesTask | BuildTask | SessionTask

/** The tools to measure with: those of a data set, repeated until there are `tools`. */
export interface CatalogueSource {
  readonly folder: string
  readonly set: string
  readonly tools: number
}

export interface TimesTask {
  readonly kind: 'times'
  readonly source: CatalogueSource
  readonly engines: readonly string[]
  readonly queries: readonly BenchQuery[]
  readonly effort: Effort
}

export interface BuildTask {
  readonly kind: 'build'
  readonly source: CatalogueSource
  readonly engine: string
  readonly query: string
}

export interface SessionTask {
  readonly kind: 'session'
  readonly source: CatalogueSource
  readonly queries: readonly BenchQuery[]
}

export type ChildResult<Task extends ChildTask> = Task extends TimesTask
  ? Readonly<Record<string, Times>>
  : Task extends BuildTask
    ? BuildFigures
    : SessionFigures

process.once('message', (task) => {
  void run(task as ChildTask).then((result) => {
    process.send?.(result, () => process.disconnect())
  })
})

async function run(task: ChildTask): Promise<ChildResult<ChildTask>> {
  const { folder, set, tools: count } = task.source
  const tools = repeatTools(readCatalogue(folder, set).tools, count)
  if (task.kind === 'build') return measureBuild(engineOf(task.engine), tools, task.query)
  if (task.kind === 'session') return measureSession(tools, task.queries)
  const { queries, effort } = task
  return measureTimes({ engines: task.engines.map(engineOf), tools, queries, effort })
}

function engineOf(name: string) {
  const engine = ENGINES.find((candidate) => candidate.name === name)
  if (engine === undefined) throw new Error(`There is no engine "${name}".`)
  return engine
}
