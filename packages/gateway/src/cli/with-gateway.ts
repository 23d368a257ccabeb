import type { GatewayInternals } from '../open-internals.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { CommandCall } from './command.ts'
import { type Connect, connectServers } from './connect-servers.ts'

export interface WithGatewayOptions {
  /** The servers to connect to first. @default 'all' */
  readonly connect?: Connect | ((open: GatewayInternals) => Connect)
  /** Whether the command itself reports how each server did. @default false */
  readonly isQuiet?: boolean
  /** Whether the command searches, which takes more time to prepare. @default false */
  readonly isSearched?: boolean
  /** Whether the command reports itself that PostgreSQL cannot be used. @default false */
  readonly areRecordsOptional?: boolean
}

/**
 * Runs a function with an open gateway, and disconnects its servers afterwards. The function also gets
 * the status of each server after its first attempt to connect: a retry may already be running.
 *
 * @param given what to do first: which servers to connect to, and whether to report each of them
 */
export async function withGateway(
  call: CommandCall,
  use: (
    open: GatewayInternals,
    statuses: ReadonlyMap<string, Upstream['status']>,
  ) => Promise<number>,
  given: Connect | WithGatewayOptions = 'all',
): Promise<number> {
  const options: WithGatewayOptions = typeof given === 'string' ? { connect: given } : given
  const {
    connect = 'all',
    isQuiet = false,
    isSearched = false,
    areRecordsOptional = false,
  } = options
  const { openForCommand } = await import('./open-for-command.ts')
  const open = await openForCommand(call, { audience: 'person', isSearched, areRecordsOptional })
  const stop = () => void open.close().finally(() => process.exit(130))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) call.signals.once(signal, stop)
  try {
    const { internals } = open
    await internals.gateway.ready()
    const chosen = typeof connect === 'function' ? connect(internals) : connect
    const statuses = await connectServers(internals, chosen, { ...call, isQuiet })
    await internals.gateway.ready()
    return await use(internals, statuses)
  } finally {
    for (const signal of signals) call.signals.off(signal, stop)
    await open.close()
  }
}
