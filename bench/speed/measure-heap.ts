import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from '../statistics.ts'
import type { HeapResult, HeapTask } from './heap-child.ts'

/** The memory of an engine's index, and the time of the first build in a process. */
export interface FirstBuild {
  /** JavaScript heap and array buffers, without the tools themselves. */
  readonly heapBytes: number
  /** Milliseconds, without warm-up. */
  readonly firstBuild: number
}

/** The median of several fresh processes: earlier work in a process distorts its heap. */
export async function measureHeap(task: HeapTask, processes: number): Promise<FirstBuild> {
  const results: HeapResult[] = []
  for (let i = 0; i < processes; i++) results.push(await runChild(task))
  return {
    heapBytes: median(results.map((result) => result.heapBytes)),
    firstBuild: median(results.map((result) => result.buildMilliseconds)),
  }
}

const TIMEOUT_MINUTES = 5

function runChild(task: HeapTask): Promise<HeapResult> {
  // fork passes on the options of this process: the loader, --expose-gc, --conditions.
  const child = fork(fileURLToPath(new URL('./heap-child.ts', import.meta.url)), {
    timeout: TIMEOUT_MINUTES * 60_000,
  })
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as HeapResult))
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      reject(new Error(`The process for ${task.engine} exited early with ${code ?? signal}.`))
    })
    child.send(task)
  })
}
