import type { GatewayInternals } from '../open-internals.ts'
import type { CommandCall } from './command.ts'

/** Computing a vector takes some 40 ms, and those of earlier runs are cached. */
const MAX_WAIT_MS = 30_000
const QUIET_MS = 500

/** A command ends after one search, so it waits for vectors that a server computes in the background. */
export async function waitForVectors(
  { gateway, ranker }: GatewayInternals,
  { terminal, values }: CommandCall,
): Promise<void> {
  if (!ranker.isRemote) return
  // Tools are indexed by the first search, and only then are their vectors requested.
  gateway.toolSearch.search('tools')
  const timers = [
    setTimeout(() => {
      if (!values.json) terminal.say('Computing the vectors of the tools. Later runs reuse them.')
    }, QUIET_MS),
  ]
  const limit = new Promise<void>((resolve) => {
    timers.push(setTimeout(resolve, MAX_WAIT_MS))
  })
  await Promise.race([ranker.settled(), limit])
  for (const timer of timers) clearTimeout(timer)
}
