import type { Tool } from 'toolsearch'
import { createCatalogue } from '../../packages/toolsearch/src/catalogue/catalogue.ts'
import { collectGarbage } from './clock.ts'
import type { Engine } from './engine.ts'

/** The first index of a process. */
export interface BuildFigures {
  /** Milliseconds until the first search is answered: an engine may finish its index only then. */
  readonly ready: number
  /** JavaScript heap and array buffers, without the tools themselves. */
  readonly heapBytes: number
}

/** Call this once per process: earlier work warms up the code and distorts the heap. */
export async function measureBuild(
  engine: Engine,
  tools: readonly Tool[],
  query: string,
): Promise<BuildFigures> {
  // Load and compile the code first, so that it doesn't count as part of the index.
  const few = createCatalogue([{ name: 'warm_up', description: 'Warms up.' }]).tools()
  engine.build(few).search('warm')

  const before = await usedBytes()
  const start = performance.now()
  const index = engine.build(tools)
  const found = index.search(query).length
  const ready = performance.now() - start
  const heapBytes = (await usedBytes()) - before
  // Use both after the last measurement, so that they are not collected before it.
  if (tools.length === 0 || found === 0 || index.search(query).length === 0) {
    throw new Error(`${engine.name} found nothing.`)
  }
  return { ready, heapBytes }
}

async function usedBytes(): Promise<number> {
  // Array buffers are freed in the background: only the next collection accounts for them.
  for (let i = 0; i < 4; i++) {
    collectGarbage()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
