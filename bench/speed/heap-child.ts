import { createCatalogue } from '../../packages/toolsearch/src/catalogue/catalogue.ts'
import { collectGarbage, time } from './clock.ts'
import type { SearchIndex } from './engine.ts'
import { ENGINES } from './engines.ts'
import { readCatalogue } from './read-catalogue.ts'
import { repeatTools } from './repeat-tools.ts'

/** `measureHeap` runs this file in its own process: it builds one index and measures its memory. */
export interface HeapTask {
  readonly engine: string
  readonly folder: string
  readonly set: string
  readonly tools: number
}

export interface HeapResult {
  readonly heapBytes: number
  readonly buildMilliseconds: number
}

process.once('message', (task) => {
  void measure(task as HeapTask).then((result) => {
    process.send?.(result, () => process.disconnect())
  })
})

async function measure({ engine: name, folder, set, tools: count }: HeapTask): Promise<HeapResult> {
  const engine = ENGINES.find((candidate) => candidate.name === name)
  if (engine === undefined) throw new Error(`There is no engine "${name}".`)
  const tools = repeatTools(readCatalogue(folder, set).tools, count)
  // Load and compile the code first, so that it doesn't count as part of the index.
  const few = createCatalogue([{ name: 'warm_up', description: 'Warms up.' }]).tools()
  engine.build(few).search('warm')

  const before = await usedBytes()
  let index: SearchIndex | undefined
  const buildMilliseconds = time(() => {
    index = engine.build(tools)
  })
  const found = index!.search('search the web').length
  const heapBytes = (await usedBytes()) - before
  // Use both after the last measurement, so that they are not collected before it.
  if (tools.length !== count || found === 0 || index!.search('file').length === 0) {
    throw new Error(`${name} found nothing.`)
  }
  return { heapBytes, buildMilliseconds }
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
