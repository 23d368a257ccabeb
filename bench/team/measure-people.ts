import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, quantile } from '../statistics.ts'
import { type Replica, startReplica } from './start-replica.ts'
import { createTeamClient, openSession, type TeamClient } from './team-client.ts'
import { freePort, type TeamSetup, writeConfig } from './team-setup.ts'
import type { TokenIssuer } from './token-issuer.ts'

/** Searches of many people in many groups, and how fast a change of the rules takes effect. */
export interface PeopleFigures {
  readonly people: number
  readonly groups: number
  readonly tools: number
  /** Median of a search over HTTP without rules, so that everybody may use everything. */
  readonly openMs: number
  /** Median of a search over HTTP with the rules of all groups. */
  readonly ruledMs: number
  /** The second relative to the first, round by round: median and range. */
  readonly ratio: number
  readonly range: readonly [number, number]
  /** From writing the file to the first refused call, on the slowest replica. */
  readonly ruleChangeMs: number
  readonly replicas: number
}

export interface PeopleOptions {
  readonly folder: string
  readonly issuer: TokenIssuer
  readonly url: string
  readonly redis: string
  readonly postgres: string
  readonly people: number
  readonly rounds: number
  readonly searches: number
  readonly report: (step: string) => void
}

const GROUPS = 100
const SERVERS = 10
const TOOLS_PER_SERVER = 500
const REPLICAS = 3
const MANY_TOOLS = fileURLToPath(new URL('../gateway/many-tools-server.js', import.meta.url))
const THINGS = ['invoice', 'ticket', 'repository', 'calendar', 'customer', 'report', 'contract']
const VERBS = ['create', 'list', 'update', 'delete', 'search', 'archive', 'export', 'share']

export async function measurePeople(options: PeopleOptions): Promise<PeopleFigures> {
  const { folder, issuer, url, redis, postgres, people, rounds, searches, report } = options
  const mcpServers = writeServers(folder)
  // Each group may use about a tenth of the tools, and a few are denied to everybody.
  const rules = Array.from({ length: GROUPS }, (_, group) => ({
    groups: [`group-${group}`],
    allow: [`server${group % SERVERS}/*`, `*/*_${THINGS[group % THINGS.length]}_${group}`],
  }))
  const team: TeamSetup = { mcpServers, issuer: issuer.issuer, url, redis, postgres }
  const ruled: TeamSetup = { ...team, rules: [...rules, { deny: ['*/delete_*_1*'] }] }
  const client = createTeamClient()
  const replicas: Replica[] = []
  const start = async (name: string, setup: TeamSetup) => {
    const own = join(folder, name)
    const configFile = writeConfig(own, setup)
    const replica = await startReplica({ configFile, port: await freePort(), folder: own })
    replicas.push(replica)
    return { replica, configFile }
  }
  try {
    report(`people: creating ${people} tokens`)
    const tokens = await Promise.all(
      Array.from({ length: people }, (_, index) =>
        issuer.token({ subject: `person-${index}`, groups: groupsOf(index) }),
      ),
    )
    report('people: starting gateways')
    const without = await start('people-open', team)
    const withRules = await Promise.all(
      Array.from({ length: REPLICAS }, (_, index) => start(`people-${index}`, ruled)),
    )
    const [first] = withRules
    const ratios: number[] = []
    const medians = { open: [] as number[], ruled: [] as number[] }
    for (let round = 0; round <= rounds; round++) {
      report(round === 0 ? 'people: warming up' : `people: searches, round ${round} of ${rounds}`)
      const openMs = await timeSearches(client, without.replica, tokens, { searches, round })
      const ruledMs = await timeSearches(client, first!.replica, tokens, { searches, round })
      if (round === 0) continue
      medians.open.push(openMs)
      medians.ruled.push(ruledMs)
      ratios.push(ruledMs / openMs)
    }
    report('people: changing the rules')
    const ruleChangeMs = await timeRuleChange(client, withRules, tokens[0]!)
    return {
      people,
      groups: GROUPS,
      tools: SERVERS * TOOLS_PER_SERVER,
      openMs: median(medians.open),
      ruledMs: median(medians.ruled),
      ratio: median(ratios),
      range: [Math.min(...ratios), Math.max(...ratios)],
      ruleChangeMs,
      replicas: REPLICAS,
    }
  } finally {
    client.close()
    await Promise.all(replicas.map((replica) => replica.end()))
  }
}

function groupsOf(person: number): string[] {
  return [...new Set([person, person * 7 + 3].map((value) => `group-${value % GROUPS}`))]
}

function writeServers(folder: string): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: SERVERS }, (_, server) => {
      const tools = Array.from({ length: TOOLS_PER_SERVER }, (__, index) => {
        const verb = VERBS[index % VERBS.length]!
        const thing = THINGS[(index * 3 + server) % THINGS.length]!
        return {
          name: `${verb}_${thing}_${index}`,
          description: `${verb} a ${thing} in department ${index} of system ${server}`,
          inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
          annotations: { readOnlyHint: verb === 'list' || verb === 'search' },
        }
      })
      const file = join(folder, `tools-${server}.json`)
      writeFileSync(file, JSON.stringify(tools))
      return [`server${server}`, { command: process.execPath, args: [MANY_TOOLS, file] }]
    }),
  )
}

/** The median of searches, each as another person in a session of its own. */
async function timeSearches(
  client: TeamClient,
  { url }: Replica,
  tokens: readonly string[],
  { searches, round }: { searches: number; round: number },
): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < searches; index++) {
    const token = tokens[(round * searches + index * 37) % tokens.length]!
    const session = await openSession(client, { url, token })
    const query = `${VERBS[index % VERBS.length]} the ${THINGS[index % THINGS.length]} of department ${index}`
    const params = { name: 'tool_search', arguments: { query } }
    const begin = performance.now()
    const reply = await client.send(
      { id: 1, method: 'tools/call', params },
      { url, token, session },
    )
    times.push(performance.now() - begin)
    if (!reply.result) throw new Error(`A search failed: ${JSON.stringify(reply)}`)
  }
  return quantile(times, 0.5)
}

/** Denies a tool in every replica's file, and waits until each replica refuses it. */
async function timeRuleChange(
  client: TeamClient,
  replicas: readonly { readonly replica: Replica; readonly configFile: string }[],
  token: string,
): Promise<number> {
  const call = { name: 'server0__list_calendar_1', arguments: { id: '1' } }
  const allowed = async ({ replica: { url } }: (typeof replicas)[number], session: string) => {
    const params = { name: 'call_read_tool', arguments: call }
    const reply = await client.send(
      { id: 1, method: 'tools/call', params },
      { url, token, session },
    )
    return reply.result?.isError !== true
  }
  const sessions = await Promise.all(
    replicas.map(({ replica: { url } }) => openSession(client, { url, token })),
  )
  for (const [index, target] of replicas.entries()) {
    if (!(await allowed(target, sessions[index]!))) throw new Error('The tool is not allowed.')
  }
  const begin = performance.now()
  for (const { configFile } of replicas) {
    const config = JSON.parse(readFileSync(configFile, 'utf8'))
    config.toolsearch.access.rules.push({ deny: ['server0/list_calendar_1'] })
    writeFileSync(configFile, JSON.stringify(config, null, 2))
  }
  const times = await Promise.all(
    replicas.map(async (target, index) => {
      while (await allowed(target, sessions[index]!)) {
        if (performance.now() - begin > 30_000) throw new Error('The rules did not take effect.')
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return performance.now() - begin
    }),
  )
  return Math.max(...times)
}
