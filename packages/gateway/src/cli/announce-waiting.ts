import type { GatewayInternals } from '../open-internals.ts'
import type { Terminal } from './command.ts'
import { count } from './format.ts'

/** Gives several servers the time to connect, so that one line names them all. */
const PAUSE_MS = 1_000

/** Tells a person how many tools wait for approval, whenever there are more. Returns a function that stops it. */
export function announceWaiting(
  { gateway, servers }: Pick<GatewayInternals, 'gateway' | 'servers'>,
  { say }: Pick<Terminal, 'say'>,
): () => void {
  let timer: NodeJS.Timeout | undefined
  let announced = 0
  const announce = () => {
    timer = undefined
    if (gateway.config.approve === 'off') return
    const waiting = gateway.waitingTools().filter(({ kind }) => kind !== 'blocked').length
    if (waiting > announced) {
      const verb = waiting === 1 ? 'waits' : 'wait'
      say(
        `${count(waiting, 'tool')} ${verb} for approval and cannot be used yet. ` +
          'Run toolsearch review to see them, and toolsearch accept --all to approve them.',
      )
    }
    announced = waiting
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
