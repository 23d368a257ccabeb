import type { GatewayInternals } from '../open-internals.ts'
import type { Terminal } from './command.ts'
import { countTools } from './count-tools.ts'

/** Gives several servers the time to connect, so that one line names them all. */
const PAUSE_MS = 1_000

/** Tells a person how many tools and skills wait for approval, whenever there are more. Returns a function that stops it. */
export function announceWaiting(
  { gateway, servers }: Pick<GatewayInternals, 'gateway' | 'servers'>,
  { say }: Pick<Terminal, 'say'>,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let announced = 0
  const announce = () => {
    timer = undefined
    if (gateway.config.approve === 'off') return
    const waiting = gateway.waitingTools().filter(({ kind }) => kind !== 'blocked')
    if (waiting.length > announced) {
      const verb = waiting.length === 1 ? 'waits' : 'wait'
      say(
        `${countTools(waiting.map(({ name }) => name))} ${verb} for approval and cannot be used yet. ` +
          'Run toolsearch review to see them, and toolsearch accept --all to approve them.',
      )
    }
    announced = waiting.length
  }
  const plan = () => {
    timer ??= setTimeout(announce, PAUSE_MS).unref()
  }
  plan()
  const unsubscribe = servers.subscribe(plan)
  return () => {
    unsubscribe()
    clearTimeout(timer)
  }
}
