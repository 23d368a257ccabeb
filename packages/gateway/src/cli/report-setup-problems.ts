import type { GatewayInternals } from '../open-internals.ts'
import { placeOfProblem } from '../skills/scan-folders.ts'
import type { Terminal } from './command.ts'
import { plain } from './plain.ts'

/** Waits for the changes that belong together, such as an edit of the configuration. */
const DELAY_MS = 200

/**
 * Prints each problem of the configuration and each invalid skill in a folder that shows up while the gateway runs: at the start, when
 * a server connects, and after an edit. A problem that was fixed and comes back is printed again.
 * Returns a function that stops it.
 */
export function reportSetupProblems(
  {
    gateway,
    servers,
    skillFolders,
  }: Pick<GatewayInternals, 'gateway' | 'servers' | 'skillFolders'>,
  { say, warn = say }: Pick<Terminal, 'say' | 'warn'>,
): () => void {
  let reported: ReadonlySet<string> = new Set()
  let timer: NodeJS.Timeout | undefined
  const schedule = () => {
    timer ??= setTimeout(report, DELAY_MS).unref()
  }
  const stops = [servers.subscribe(schedule), gateway.onConfigured(schedule)]
  schedule()
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }

  function report(): void {
    timer = undefined
    const messages = [
      ...gateway.setupProblems().map(({ message }) => message),
      ...skillFolders.problems.map((problem) => `${placeOfProblem(problem)}: ${problem.message}`),
    ].map(plain)
    for (const message of messages) if (!reported.has(message)) warn(`Warning: ${message}`)
    reported = new Set(messages)
  }
}
