import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { median } from '../statistics.ts'
import type { Contender, Server } from './contender.ts'
import { DIRECT, GATEWAYS } from './contenders.ts'
import type { GatewayReport, ManyServersRow } from './gateway-report.ts'
import { launch, type Running } from './launch.ts'
import { KNOWN_TOOL, manyServers } from './many-servers.ts'
import { untilAnswer } from './until-answer.ts'

const SERVERS = 10
const TOOLS_EACH = 1_000
const LIMIT_MS = 60_000
const SETTLE_MS = 5_000
const QUERIES = ['open a pull request', 'send a message', 'refund a payment', 'restart the cluster']

/** Measures the gateways that support several servers, with ten servers of a thousand tools each. */
export async function measureManyServers(
  folder: string,
  report: (step: string) => void,
): Promise<GatewayReport['manyServers']> {
  const servers = manyServers(join(folder, 'tools'), SERVERS, TOOLS_EACH)
  report('ten servers with a thousand tools each, without a gateway')
  const slowestServerMs = await slowest(folder, servers)
  const rows: ManyServersRow[] = []
  for (const contender of GATEWAYS.filter(({ takesMany }) => takesMany)) {
    const { name, transport } = contender
    report(`ten servers with a thousand tools each, behind ${name} over ${transport}`)
    try {
      rows.push({ name, transport, ...(await measure(contender, folder, servers)) })
    } catch (error) {
      rows.push({ name, transport, problem: (error as Error).message })
    }
  }
  return { servers: SERVERS, toolsEach: TOOLS_EACH, slowestServerMs, rows }
}

async function slowest(folder: string, servers: readonly Server[]): Promise<number> {
  const started = await Promise.all(
    servers.map((server) => launch(DIRECT[0]!, [server], { folder, withinMs: LIMIT_MS })),
  )
  await Promise.all(started.map((target) => target.end()))
  return Math.max(...started.map(({ startMs }) => startMs))
}

async function measure(
  contender: Contender,
  folder: string,
  servers: readonly Server[],
): Promise<Omit<ManyServersRow, 'name' | 'transport'>> {
  const options = { folder: join(folder, 'many'), withinMs: LIMIT_MS }
  const begin = performance.now()
  const first = await launch(contender, servers, options)
  try {
    await untilReady(first)
    const readyMs = performance.now() - begin
    const searchMs = await search(first)
    const { tools } = (await first.client.request('tools/list')) as { tools: unknown[] }
    // Give the garbage collector time to free what indexing allocated before measuring memory.
    await setTimeout(SETTLE_MS)
    const memory = first.memory()
    await first.end()
    const second = await launch(contender, servers, options)
    await second.end()
    return {
      firstListMs: first.startMs,
      readyMs,
      restartMs: second.startMs,
      ...(searchMs !== undefined && { searchMs }),
      ...(memory !== undefined && { memoryMB: memory / 1e6 }),
      tools: tools.length,
      listTokens: encode(JSON.stringify(tools)).length,
    }
  } finally {
    await first.end()
  }
}

/** Waits until a tool of every server can be called. */
async function untilReady({ contender, client }: Running): Promise<void> {
  for (let server = 1; server <= SERVERS; server++) {
    await untilAnswer(LIMIT_MS, async () => {
      const call = await contender.call(client, `many${server}`, KNOWN_TOOL.name, {})
      return JSON.stringify(await client.request('tools/call', call)).includes('was called')
    })
  }
}

async function search({ contender, client }: Running): Promise<number | undefined> {
  if (!contender.search) return undefined
  const times: number[] = []
  for (const query of [...QUERIES, ...QUERIES]) {
    const begin = performance.now()
    await client.request('tools/call', contender.search(query))
    times.push(performance.now() - begin)
  }
  return median(times)
}
