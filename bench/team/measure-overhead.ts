import { join } from 'node:path'
import { everything } from '../gateway/contenders.ts'
import { median, quantile } from '../statistics.ts'
import { type Replica, startReplica } from './start-replica.ts'
import { createTeamClient, openSession, type TeamClient } from './team-client.ts'
import { freePort, type TeamSetup, writeConfig } from './team-setup.ts'
import type { TokenIssuer } from './token-issuer.ts'

/** What identity, decision, limits and audit add to a call over HTTP. */
export interface OverheadRow {
  readonly name: string
  readonly p50Ms: number
  /** The p50 relative to a gateway without team settings, round by round: median and range. */
  readonly ratio: number
  readonly range: readonly [number, number]
}

export interface OverheadOptions {
  readonly folder: string
  readonly issuer: TokenIssuer
  readonly url: string
  readonly redis: string
  readonly postgres: string
  readonly rounds: number
  readonly calls: number
  readonly report: (step: string) => void
}

const PERSON = { subject: 'alice', groups: ['engineering'] }
const MESSAGE = 'hello from the bench'

export async function measureOverhead(options: OverheadOptions): Promise<OverheadRow[]> {
  const { folder, issuer, url, redis, postgres, rounds, calls, report } = options
  const { command, args } = everything
  const plain: TeamSetup = { mcpServers: { everything: { command, args } } }
  const team: TeamSetup = {
    ...plain,
    issuer: issuer.issuer,
    url,
    rules: [{ groups: ['engineering'], allow: ['everything/*'] }, { deny: ['everything/add'] }],
    isGuarded: true,
  }
  const setups: readonly [string, TeamSetup][] = [
    ['no team settings', plain],
    ['identity, rules, limits, audit', team],
    ['the same with Redis and PostgreSQL', { ...team, redis, postgres }],
  ]
  const token = await issuer.token(PERSON)
  const client = createTeamClient()
  const replicas: Replica[] = []
  try {
    const targets: Target[] = []
    for (const [index, [name, setup]] of setups.entries()) {
      report(`overhead: starting "${name}"`)
      const own = join(folder, `overhead-${index}`)
      const configFile = writeConfig(own, setup)
      const replica = await startReplica({ configFile, port: await freePort(), folder: own })
      replicas.push(replica)
      const send = { url: replica.url, token: setup.issuer ? token : undefined }
      targets.push({ name, send: { ...send, session: await openSession(client, send) }, p50s: [] })
    }
    for (let round = 0; round <= rounds; round++) {
      report(round === 0 ? 'overhead: warming up' : `overhead: round ${round} of ${rounds}`)
      for (const target of targets) {
        const p50 = quantile(await timeCalls(client, target, calls), 0.5)
        // The first round warms up compilers and caches.
        if (round > 0) target.p50s.push(p50)
      }
    }
    const [base] = targets
    return targets.map(({ name, p50s }) => {
      const ratios = p50s.map((p50, at) => p50 / base!.p50s[at]!)
      return {
        name,
        p50Ms: median(p50s),
        ratio: median(ratios),
        range: [Math.min(...ratios), Math.max(...ratios)],
      }
    })
  } finally {
    client.close()
    await Promise.all(replicas.map((replica) => replica.end()))
  }
}

interface Target {
  readonly name: string
  readonly send: Parameters<TeamClient['send']>[1]
  readonly p50s: number[]
}

async function timeCalls(client: TeamClient, { send }: Target, count: number): Promise<number[]> {
  const call = { name: 'everything__echo', arguments: { message: MESSAGE } }
  const times: number[] = []
  for (let id = 1; id <= count; id++) {
    const begin = performance.now()
    const { result } = await client.send(
      { id, method: 'tools/call', params: { name: 'call_read_tool', arguments: call } },
      send,
    )
    times.push(performance.now() - begin)
    if (!result?.content?.[0]?.text?.includes(MESSAGE)) {
      throw new Error(`A call failed: ${JSON.stringify(result)}`)
    }
  }
  return times
}
