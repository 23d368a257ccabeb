import type { GatewayInternals, OpenGateway } from '../open-gateway.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { CommandCall } from './command.ts'
import { ageOf, count, listSome } from './format.ts'
import { plain } from './plain.ts'

/**
 * Which servers a command connects to before it runs: all of them, those whose tools are not cached
 * yet, or none.
 */
export type Connect = 'all' | 'unknown' | 'none'

export interface WithGatewayOptions {
  /** The servers to connect to first. @default 'all' */
  readonly connect?: Connect | ((open: GatewayInternals) => Connect)
  /** Whether the command itself reports how each server did. @default false */
  readonly isQuiet?: boolean
  /** Whether the command searches, which takes more time to prepare. @default false */
  readonly isSearched?: boolean
}

/** Servers that take longer than this are named, so that people know what the command waits for. */
const QUIET_MS = 1_000

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
  const { connect = 'all', isQuiet = false, isSearched = false } = options
  const { openForCommand } = await import('./open-for-command.ts')
  const open = await openForCommand(call, 'person', isSearched)
  const stop = () => void open.close().finally(() => process.exit(130))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, stop)
  try {
    const { internals } = open
    const chosen = typeof connect === 'function' ? connect(internals) : connect
    const statuses = await connectServers(open, chosen, { ...call, isQuiet })
    return await use(internals, statuses)
  } finally {
    for (const signal of signals) process.off(signal, stop)
    await open.close()
  }
}

async function connectServers(
  { internals: { fleet } }: OpenGateway,
  connect: Connect,
  { values, terminal, isQuiet }: CommandCall & { readonly isQuiet: boolean },
): Promise<ReadonlyMap<string, Upstream['status']>> {
  const statuses = new Map<string, Upstream['status']>()
  if (connect === 'none') return statuses
  const say = values.json ? () => {} : (text: string) => terminal.say(plain(text))
  const all = [...fleet.upstreams.values()]
  const cached = connect === 'all' ? [] : all.filter(({ toolsReadAt }) => toolsReadAt !== undefined)
  const waiting = new Set(all.filter((upstream) => !cached.includes(upstream)))
  const names = () => `waiting for ${listSome([...waiting].map(({ name }) => name))}`
  const timer = setTimeout(() => {
    if (waiting.size > 0 && (isQuiet || statuses.size === 0)) say(`Still ${names()}…`)
  }, QUIET_MS)
  await Promise.all(
    [...waiting].map(async (upstream) => {
      await upstream.connect()
      waiting.delete(upstream)
      const { name, status, tools } = upstream
      statuses.set(name, { ...status })
      if (isQuiet) return
      const outcome =
        status.state === 'ready'
          ? count(tools.length, 'tool')
          : `${status.state}: ${status.detail?.split('\n')[0]}`
      say(`${name}: ${outcome}${waiting.size > 0 ? ` (${names()})` : ''}`)
    }),
  )
  clearTimeout(timer)
  if (cached.length > 0) {
    const oldest = Math.min(...cached.map(({ toolsReadAt }) => toolsReadAt!))
    say(`Tools from cache, ${ageOf(Date.now() - oldest)} old. Use --refresh to reconnect.`)
  }
  return statuses
}
