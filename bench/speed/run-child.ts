import { type ChildProcess, fork } from 'node:child_process'
import type { ChildResult, ChildTask } from './child.ts'

const running = new Set<ChildProcess>()
const TIMEOUT_MINUTES = 10

/** Runs one task in a fresh process. @throws if the process fails or takes longer than ten minutes */
export function runChild<Task extends ChildTask>(
  file: string,
  task: Task,
): Promise<ChildResult<Task>> {
  const child = fork(file, {
    // Without the loader of this process.
    execArgv: ['--expose-gc'],
    timeout: TIMEOUT_MINUTES * 60_000,
  })
  running.add(child)
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as ChildResult<Task>))
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      running.delete(child)
      const end = code === null ? `was ended by ${signal}` : `exited with code ${code}`
      const limit = `It may run for at most ${TIMEOUT_MINUTES} minutes.`
      reject(new Error(`The process for the task "${task.kind}" ${end}. ${limit}`))
    })
    child.send(task)
  })
}

/** Ends the measuring processes with this one: they are too busy to notice that it is gone. */
export function endChildrenOnSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      for (const child of running) child.kill('SIGKILL')
      process.exit(code)
    })
  }
}
