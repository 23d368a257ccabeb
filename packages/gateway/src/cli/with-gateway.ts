import type { GatewayInternals } from '../open-gateway.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { CommandCall } from './command.ts'
import { count } from './format.ts'
import { openForCommand } from './open-for-command.ts'
import { plain } from './plain.ts'

/**
 * Runs a function with every server connected, and disconnects them afterwards. The function also
 * gets the status of each server after its first attempt to connect: a retry may already be running.
 *
 * @param isCacheEnough whether the cached tools are enough to run without connecting first
 */
export async function withGateway(
  call: CommandCall,
  use: (
    open: GatewayInternals,
    statuses: ReadonlyMap<string, Upstream['status']>,
  ) => Promise<number>,
  isCacheEnough: (open: GatewayInternals) => boolean = () => false,
): Promise<number> {
  const open = await openForCommand(call, 'person')
  const stop = () => void open.close().finally(() => process.exit(130))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, stop)
  try {
    const say = call.values.json ? () => {} : call.terminal.say
    const statuses = new Map<string, Upstream['status']>()
    if (!isCacheEnough(open.internals)) {
      await open.ready(({ name, state, detail = '', tools }, remaining) => {
        statuses.set(name, { ...open.internals.fleet.upstreams.get(name)!.status })
        const status = state === 'ready' ? count(tools, 'tool') : `${state}: ${detail}`
        say(plain(`${name}: ${status}${remaining > 0 ? ` (${remaining} remaining)` : ''}`))
      })
    }
    return await use(open.internals, statuses)
  } finally {
    for (const signal of signals) process.off(signal, stop)
    await open.close()
  }
}
