import type { Tool } from 'toolsearch'
import type { BenchQuery } from './choose-queries.ts'
import type { Engine } from './engine.ts'
import { ENGINES } from './engines.ts'
import { measureHeap } from './measure-heap.ts'
import { type Effort, measureTimes } from './measure-times.ts'
import { repeatTools } from './repeat-tools.ts'
import type { CatalogueFigures, EngineFigures } from './speed-report.ts'

export interface CatalogueEffort extends Effort {
  /** The number of fresh processes that measure memory. */
  readonly processes: number
}

export interface CatalogueRequest {
  /** The data folder and set that `tools` come from. */
  readonly folder: string
  readonly set: string
  readonly tools: readonly Tool[]
  /** The size of the catalogue; tools are repeated to reach it. */
  readonly count: number
  readonly engines: readonly Engine[]
  readonly queries: readonly BenchQuery[]
  readonly effort: CatalogueEffort
  readonly report: (step: string) => void
}

/** Measures all engines with one size of catalogue. */
export async function measureCatalogue(request: CatalogueRequest): Promise<CatalogueFigures> {
  const { folder, set, count, engines, effort } = request
  const report = (step: string) => request.report(`${count.toLocaleString('en')} tools: ${step}`)
  const tools = repeatTools(request.tools, count)
  const times = measureTimes({ ...request, tools, report })

  const figures: EngineFigures[] = []
  for (const { name, side } of engines) {
    report(`memory of ${name}, in its own process`)
    const memory = await measureHeap({ engine: name, folder, set, tools: count }, effort.processes)
    figures.push({ name, side, ...times.get(name)!, ...memory })
  }
  const skipped = ENGINES.filter((engine) => !engines.includes(engine))
  return { tools: count, engines: figures, skipped: skipped.map(({ name }) => name) }
}
