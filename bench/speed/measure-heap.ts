import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './clock.ts'
import type { HeapResult, HeapTask } from './heap-child.ts'

/** What an engine's index takes in memory and how long the first build of a process is. */
export interface FirstBuild {
  /** JavaScript heap and array buffers, without the tools themselves. */
  readonly heapBytes: number
  /** Milliseconds, with nothing warmed up. */
  readonly firstBuild: number
}

/** The median of several fresh processes: in one that did other things before, heap is noise. */
export async function measureHeap(task: HeapTask, processes: number): Promise<FirstBuild> {
  const results: HeapResult[] = []
  for (let i = 0; i < processes; i++) results.push(await runChild(task))
  return {
    heapBytes: median(results.map((result) => result.heapBytes)),
    firstBuild: median(results.map((result) => result.buildMilliseconds)),
  }
}

const MOST_MINUTES = 5

function runChild(task: HeapTask): Promise<HeapResult> {
  // fork hands our own node options on: the loader, --expose-gc, --conditions
  const child = fork(fileURLToPath(new URL('./heap-child.ts', import.meta.url)), {
    timeout: MOST_MINUTES * 60_000,
  })
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as HeapResult))
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      reject(new Error(`The process for ${task.engine} ended early, with ${code ?? signal}.`))
    })
    child.send(task)
  })
}
