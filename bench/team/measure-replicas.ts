import { join } from 'node:path'
import { startCountingServer } from './counting-server.ts'
import { type Replica, startReplica } from './start-replica.ts'
import { createTeamClient, openSession, type TeamClient } from './team-client.ts'
import { freePort, writeConfig } from './team-setup.ts'
import type { TokenIssuer } from './token-issuer.ts'

/** Several replicas that share Redis and PostgreSQL, with requests sent to any of them at random. */
export interface ReplicaFigures {
  readonly throughput: ThroughputFigures
  readonly routing: RoutingFigures
  readonly killed: KilledFigures
}

/** Calls per second with many callers. The callers and the server share the cores with the replicas. */
interface ThroughputFigures {
  readonly one: number
  readonly three: number
}

interface RoutingFigures {
  readonly sessions: number
  readonly calls: number
  /** Calls without a result. */
  readonly lost: number
  /** Calls with the result of another call. */
  readonly mixedUp: number
  readonly seconds: number
}

/** One of three replicas is killed under load. */
interface KilledFigures {
  readonly calls: number
  /** Sessions that could not be used afterwards. */
  readonly lostSessions: number
  /** Calls that reached the server more than once. */
  readonly repeated: number
  /** Calls that failed, and how many of them were in flight on the killed replica. */
  readonly failed: number
  readonly failedInFlight: number
}

export interface ReplicaOptions {
  readonly folder: string
  readonly issuer: TokenIssuer
  readonly url: string
  readonly redis: string
  readonly postgres: string
  readonly sessions: number
  readonly callsPerSession: number
  readonly report: (step: string) => void
}

interface Target {
  readonly client: TeamClient
  readonly replicas: readonly Replica[]
  readonly tokens: readonly string[]
}

const REPLICAS = 3
const CALLERS = 32
const PEOPLE = 50

export async function measureReplicas(options: ReplicaOptions): Promise<ReplicaFigures> {
  const { folder, issuer, url, redis, postgres, sessions, callsPerSession, report } = options
  const upstream = await startCountingServer()
  const client = createTeamClient()
  const replicas: Replica[] = []
  try {
    report('replicas: starting three gateways')
    const setup = {
      mcpServers: { seats: { url: upstream.url } },
      issuer: issuer.issuer,
      url,
      rules: [{ groups: ['travel'], allow: ['seats/*'] }],
      isGuarded: true,
      redis,
      postgres,
    }
    for (let index = 0; index < REPLICAS; index++) {
      const own = join(folder, `replica-${index}`)
      const configFile = writeConfig(own, setup)
      replicas.push(await startReplica({ configFile, port: await freePort(), folder: own }))
    }
    const tokens = await Promise.all(
      Array.from({ length: PEOPLE }, (_, index) =>
        issuer.token({ subject: `traveller-${index}`, groups: ['travel'] }),
      ),
    )
    const target: Target = { client, replicas, tokens }
    report('replicas: throughput of one and of three')
    const throughput = {
      one: await callsPerSecond({ ...target, replicas: replicas.slice(0, 1) }, 3_000),
      three: await callsPerSecond(target, 3_000),
    }
    report(`replicas: ${sessions} sessions with ${callsPerSession} calls each, at random`)
    const routing = await routeAtRandom(target, sessions, callsPerSession)
    report('replicas: killing one under load')
    const killed = await killOne(target, upstream.count)
    return { throughput, routing, killed }
  } finally {
    client.close()
    await Promise.all(replicas.map((replica) => replica.end()))
    await upstream.close()
  }
}

async function callsPerSecond(target: Target, count: number): Promise<number> {
  const sessions = await openSessions(target, CALLERS)
  const run = async (calls: number, label: string) => {
    let left = calls
    const begin = performance.now()
    await Promise.all(
      sessions.map(async (session) => {
        while (left-- > 0) await book(target, session, `${label}-${left}-${session.id}`)
      }),
    )
    return calls / ((performance.now() - begin) / 1000)
  }
  await run(Math.round(count / 4), 'warm')
  return run(count, 'fast')
}

async function routeAtRandom(
  target: Target,
  count: number,
  callsPerSession: number,
): Promise<RoutingFigures> {
  const begin = performance.now()
  const sessions = await openSessions(target, count)
  let lost = 0
  let mixedUp = 0
  const queue = [...sessions]
  const caller = async () => {
    for (let session = queue.pop(); session; session = queue.pop()) {
      for (let call = 0; call < callsPerSession; call++) {
        const id = `route-${session.id}-${call}`
        const text = await book(target, session, id).catch(() => undefined)
        if (text === undefined) lost += 1
        else if (text !== `booked ${id}`) mixedUp += 1
      }
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const seconds = (performance.now() - begin) / 1000
  return { sessions: count, calls: count * callsPerSession, lost, mixedUp, seconds }
}

async function killOne(target: Target, count: (id: string) => number): Promise<KilledFigures> {
  const [doomed, ...others] = target.replicas
  const sessions = await openSessions(target, 60)
  const ids: string[] = []
  let isKilled = false
  let failed = 0
  let failedInFlight = 0
  const end = Date.now() + 6_000
  const timer = setTimeout(() => {
    isKilled = true
    doomed!.process.kill('SIGKILL')
  }, 2_000)
  await Promise.all(
    sessions.map(async (session) => {
      while (Date.now() < end) {
        const id = `kill-${session.id}-${ids.length}`
        ids.push(id)
        // A load balancer sends nothing to a replica that refuses connections.
        const replica = isKilled ? others[ids.length % others.length]! : anyOf(target.replicas)
        try {
          await book({ ...target, replicas: [replica] }, session, id, 20)
        } catch {
          failed += 1
          if (replica === doomed) failedInFlight += 1
        }
      }
    }),
  )
  clearTimeout(timer)
  const rest = { ...target, replicas: others }
  const after = await Promise.all(
    sessions.map((session) =>
      book(rest, session, `after-${session.id}`).then(
        () => true,
        () => false,
      ),
    ),
  )
  return {
    calls: ids.length,
    lostSessions: after.filter((isUsable) => !isUsable).length,
    repeated: ids.filter((id) => count(id) > 1).length,
    failed,
    failedInFlight,
  }
}

interface OpenSession {
  readonly id: string
  readonly token: string
}

async function openSessions(target: Target, count: number): Promise<OpenSession[]> {
  const sessions: OpenSession[] = []
  const { client, tokens } = target
  const caller = async () => {
    while (sessions.length < count) {
      const token = tokens[sessions.length % tokens.length]!
      const { url } = anyOf(target.replicas)
      sessions.push({ id: await openSession(client, { url, token }), token })
    }
  }
  await Promise.all(Array.from({ length: 16 }, caller))
  return sessions.slice(0, count)
}

/** Calls the tool through any of the replicas. @throws if the call has no result */
async function book(
  { client, replicas }: Target,
  { id: session, token }: OpenSession,
  id: string,
  waitMs = 0,
): Promise<string> {
  const call = { name: 'seats__book', arguments: { id, ...(waitMs > 0 && { waitMs }) } }
  const { status, result } = await client.send(
    { id, method: 'tools/call', params: { name: 'call_write_tool', arguments: call } },
    { url: anyOf(replicas).url, token, session },
  )
  const text = result?.content?.[0]?.text
  if (text === undefined || result?.isError) throw new Error(`HTTP ${status}: ${text}`)
  return text
}

function anyOf<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)]!
}
