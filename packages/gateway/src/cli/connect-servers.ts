import { setTimeout as delay } from 'node:timers/promises'
import type { GatewayInternals } from '../open-internals.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { CommandCall } from './command.ts'
import { ageOf, count, listSome } from './format.ts'
import { plain } from './plain.ts'
import { readRecentFailures } from './recent-failures.ts'

/**
 * Which servers a command connects to before it runs: all of them, those whose tools are not cached
 * yet, or none.
 */
export type Connect = 'all' | 'unknown' | 'none'

export interface ConnectServersOptions extends CommandCall {
  /** Whether the command itself reports how each server did. */
  readonly isQuiet: boolean
  /**
   * How long a command that can already answer from cached tools waits for the other servers.
   * @default 10_000
   */
  readonly waitMs?: number
}

/** Servers that take longer than this are named, so that people know what the command waits for. */
const QUIET_MS = 1_000

/**
 * Connects to servers and says how each of them did. Does not wait for a server that has just failed,
 * unless the command needs all of them, and not long if others are cached. Resolves to the status of each server after the attempt.
 */
export async function connectServers(
  { fleet, config }: GatewayInternals,
  connect: Connect,
  { values, terminal, env, isQuiet, waitMs = 10_000 }: ConnectServersOptions,
): Promise<ReadonlyMap<string, Upstream['status']>> {
  const statuses = new Map<string, Upstream['status']>()
  if (connect === 'none') return statuses
  const say = values.json ? () => {} : (text: string) => terminal.say(plain(text))
  const failures = await readRecentFailures(env)
  const configs = new Map(config.servers.map((server) => [server.name, server]))
  const waiting = new Set<Upstream>()
  const cached: number[] = []
  for (const upstream of fleet.upstreams.values()) {
    const { name, cachedAt } = upstream
    const failedAgo = failures.ageOf(configs.get(name)!)
    if (connect === 'all') waiting.add(upstream)
    else if (cachedAt !== undefined) cached.push(cachedAt)
    else if (failedAgo === undefined) waiting.add(upstream)
    else say(`${name}: failed ${ageOf(failedAgo)} ago. Use --refresh to try again.`)
  }

  const names = () => `waiting for ${listSome([...waiting].map(({ name }) => name))}`
  const timer = setTimeout(() => {
    if (waiting.size > 0 && (isQuiet || statuses.size === 0)) say(`Still ${names()}…`)
  }, QUIET_MS)
  let isOver = false
  const attempts = Promise.all(
    [...waiting].map(async (upstream) => {
      await upstream.connect()
      await upstream.skillsRead?.()
      if (isOver) return
      waiting.delete(upstream)
      const { name, status } = upstream
      const { state, detail = '' } = status
      statuses.set(name, { ...status })
      failures.set(configs.get(name)!, state === 'failed')
      if (isQuiet) return
      const [reason] = detail.split('\n')
      const outcome = state === 'ready' ? countOffers(upstream) : `${state}: ${reason}`
      say(`${name}: ${outcome}${waiting.size > 0 ? ` (${names()})` : ''}`)
    }),
  )
  await (cached.length > 0
    ? Promise.race([attempts, delay(waitMs, undefined, { ref: false })])
    : attempts)
  isOver = true
  clearTimeout(timer)
  for (const { name } of waiting) failures.set(configs.get(name)!, true)
  if (waiting.size > 0) {
    const still = listSome([...waiting].map(({ name }) => name))
    say(`Still connecting: ${still}. Use --refresh to wait for all servers.`)
  }
  await failures.save()
  if (cached.length > 0) {
    const age = ageOf(Date.now() - Math.min(...cached))
    say(`Tools from cache, ${age} old. Use --refresh to reconnect.`)
  }
  return statuses
}

/** @example countOffers(upstream) // '14 tools, 2 skills' */
function countOffers({ tools, skills }: Pick<Upstream, 'tools' | 'skills'>): string {
  const found = count(tools.length, 'tool')
  return skills.length === 0 ? found : `${found}, ${count(skills.length, 'skill')}`
}
