import { createCatalogue } from '../../packages/toolsearch/src/catalogue/catalogue.ts'
import { readCatalogue } from '../read-data.ts'
import { time } from './clock.ts'
import { collectGarbage } from './collect-garbage.ts'
import type { SearchIndex } from './engine.ts'
import { ENGINES } from './engines.ts'
import { repeatTools } from './repeat-tools.ts'

/** Run by `measureHeap`, as a process of its own: builds one index and says what it holds. */
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
  const engine = ENGINES.find((one) => one.name === name)
  if (engine === undefined) throw new Error(`There is no engine called "${name}".`)
  const tools = repeatTools(readCatalogue(folder, set).tools, count)
  // so that what the code itself takes is there before
  const few = createCatalogue([{ name: 'warm_up', description: 'Warms up.' }]).tools()
  engine.build(few).search('warm')

  const before = await heldBytes()
  let index: SearchIndex | undefined
  const buildMilliseconds = time(() => {
    index = engine.build(tools)
  })
  const found = index!.search('search the web').length
  const heapBytes = (await heldBytes()) - before
  // both are used after the last measurement, or they could be collected before it
  if (tools.length !== count || found === 0 || index!.search('file').length === 0) {
    throw new Error(`${name} found nothing.`)
  }
  return { heapBytes, buildMilliseconds }
}

async function heldBytes(): Promise<number> {
  // array buffers are freed in the background of one collection and counted out by the next
  for (let i = 0; i < 4; i++) {
    collectGarbage()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
