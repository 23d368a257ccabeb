import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Contender, Rankings } from './contender.ts'
import { nodeFor } from './node-for.ts'
import type { RankTask } from './rank-child.ts'

/** Why there is nothing to show for a contender, in words for the table. */
export interface Failure {
  readonly failure: string
}

// Ratel takes a third of a second for one search of 4,000 tools, and more on a busy machine
const MOST_MINUTES = 15

/** Runs one contender on one set. A contender that fails or takes too long is told, not thrown. */
export function rankInChild(
  contender: Contender,
  task: Omit<RankTask, 'contender'>,
): Promise<Rankings | Failure> {
  const node = nodeFor(contender)
  if (node === undefined) {
    return Promise.resolve({ failure: `needs Node ${contender.node}, this is ${process.version}` })
  }
  // fork hands our own node options on: the loader, --conditions
  const child = fork(fileURLToPath(new URL('./rank-child.ts', import.meta.url)), {
    execPath: node,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, MASTRA_TELEMETRY_DISABLED: '1', AI_SDK_TELEMETRY_DISABLED: '1' },
  })
  const complaints: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => complaints.push(text))

  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve({ failure: `took longer than ${MOST_MINUTES} minutes` })
    }, MOST_MINUTES * 60_000)
    child.once('message', (rankings) => settle(rankings as Rankings))
    child.once('error', ({ message }) => settle({ failure: message }))
    child.once('close', (code, signal) =>
      settle({ failure: errorLine(complaints.join('')) ?? `ended early, with ${code ?? signal}` }),
    )
    child.send({ ...task, contender: contender.name } satisfies RankTask)

    function settle(outcome: Rankings | Failure): void {
      clearTimeout(timer)
      resolve(outcome)
    }
  })
}

function errorLine(text: string): string | undefined {
  return text.split('\n').find((line) => /^\w*Error\b/.test(line))
}
