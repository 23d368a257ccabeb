import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { resultFormat } from 'toolsearch'
import { labelsOf } from 'toolsearch/evaluation'
import { createGateway, type Gateway } from '../../packages/gateway/src/offering/gateway.ts'
import { openRanker } from '../../packages/gateway/src/offering/open-ranker.ts'
import { serverDirectory } from '../../packages/gateway/src/offering/server-directory.ts'
import {
  gatewayConfig,
  serverConfig,
  upstreamSet,
} from '../../packages/gateway/src/offering/upstream-set.fixtures.ts'
import type { McpTool } from '../../packages/gateway/src/protocol/mcp-tool.ts'
import { readManifests } from '../../testing/manifests/read-manifests.ts'
import { progress } from '../bench-command.ts'
import type { DividedQuery } from '../data/read-queries.ts'
import { requestSet } from '../evaluation/request-set.ts'
import { quantile, sum } from '../statistics.ts'
import type { AnswersReport, Sizes } from './answers-report.ts'

/** What the gateway sent before it wrote parameters in one line. */
const SCHEMAS = resultFormat({ detail: 'schemas', budget: 4_000 })
const FIVE = 5

interface Asked {
  readonly request: DividedQuery
  readonly result: SearchResult
}

interface SearchResult {
  readonly tokens: number
  readonly hits: readonly string[]
  readonly candidates: readonly string[]
  /** Tools of the answer without their parameters. */
  readonly withoutParameters: number
}

export async function measureAnswers(): Promise<AnswersReport> {
  const tools = toolsByServer()
  const configs = [...tools.keys()].map((name) => serverConfig(name))
  // As a configuration without settings has it.
  const config = gatewayConfig(configs, { ranking: 'words-and-meaning', translateQueries: true })
  const servers = upstreamSet(
    Object.fromEntries([...tools].map(([name, own]) => [name, { tools: own }])),
  )
  const ranker = await openRanker(config, { cacheDir: false, warn: progress })
  const gateway = createGateway(config, servers, { ranker: ranker.create })
  const requests = requestSet().queries
  progress(`${requests.length} requests to ${configs.length} servers`)

  const now: SearchResult[] = []
  const before: number[] = []
  for (const { query } of requests) {
    now.push(await search(gateway, { query }))
    before.push(await tokensWithSchemas(gateway, query))
  }
  const isFull = now.map(({ hits }) => hits.length === FIVE)
  const asked: Asked[] = requests.map((request, at) => ({ request, result: now[at]! }))
  const single = asked.filter(({ request }) => labelsOf(request).length === 1)
  const several = asked.filter(({ request }) => labelsOf(request).length > 1)
  const ofNone = now.filter((_, at) => requests[at]!.relevant.length === 0)
  const report: AnswersReport = {
    date: new Date().toISOString(),
    servers: configs.length,
    tools: gateway.toolSearch.catalogue.size,
    requests: requests.length,
    list: {
      everyTool: count(createGateway({ ...config, mode: 'passthrough' }, servers).listTools()),
      gateway: count(gateway.listTools()),
      directory: encode(serverDirectory(configs, (server) => tools.get(server)!)).length,
    },
    schemas: { all: sizes(before), fiveTools: sizes(before.filter((_, at) => isFull[at])) },
    parameters: {
      all: sizes(now.map(({ tokens }) => tokens)),
      fiveTools: sizes(now.filter((_, at) => isFull[at]).map(({ tokens }) => tokens)),
    },
    shownTools: sum(now.map(({ hits }) => hits.length)),
    withoutParameters: sum(now.map((result) => result.withoutParameters)),
    lookups: {
      requests: single.length,
      first: single.filter(isFound).length,
      asCandidate: single.filter(({ request, result: { candidates } }) =>
        candidates.some((name) => isRelevant(request, name)),
      ).length,
    },
    several: {
      needs: sum(several.map(({ request }) => labelsOf(request).length)),
      met: sum(several.map(needsMet)),
    },
    together: await measureTogether(gateway, asked),
    none: {
      requests: ofNone.length,
      noTool: ofNone.filter(({ hits }) => hits.length === 0).length,
    },
  }
  gateway.close()
  await ranker.close()
  return report
}

/** Asks for the tools of three tasks at once, as an agent that plans several steps does. */
async function measureTogether(
  gateway: Gateway,
  asked: readonly Asked[],
): Promise<AnswersReport['together']> {
  const ofAgents = asked.filter(({ request }) => request.kind === 'agent')
  const triples = Array.from({ length: Math.floor(ofAgents.length / 3) }, (_, at) =>
    ofAgents.slice(3 * at, 3 * at + 3),
  )
  const together: { found: number; tokens: number }[] = []
  for (const triple of triples) {
    const queries = triple.map(({ request }) => request.query)
    const result = await search(gateway, { queries })
    const found = triple.filter(({ request }) => isFound({ request, result })).length
    together.push({ found, tokens: result.tokens })
  }
  const alone = triples.flat()
  const tokensOf = (triple: readonly Asked[]) => sum(triple.map(({ result }) => result.tokens))
  return {
    queries: alone.length,
    foundAlone: alone.filter(isFound).length,
    foundTogether: sum(together.map(({ found }) => found)),
    tokensAlone: quantile(triples.map(tokensOf), 0.5),
    tokensTogether: quantile(
      together.map(({ tokens }) => tokens),
      0.5,
    ),
  }
}

function isFound({ request, result: { hits, candidates } }: Asked): boolean {
  return [...hits, ...candidates].some((name) => isRelevant(request, name))
}

function needsMet({ request, result: { hits, candidates } }: Asked): number {
  const found = [...hits, ...candidates].map(labelName)
  return labelsOf(request).filter((label) => found.some((name) => [...label].includes(name))).length
}

function isRelevant({ relevant }: DividedQuery, name: string): boolean {
  return relevant.includes(labelName(name))
}

/** The labels name tools as a client does that connects to the servers directly. */
function labelName(name: string): string {
  return `mcp__${name}`
}

async function search(gateway: Gateway, args: object): Promise<SearchResult> {
  const { content } = await gateway.callTool({ name: 'tool_search', arguments: args })
  const text = String(content![0]!.text)
  const { loaded = [], candidates = [] } = JSON.parse(text) as Record<string, Entry[]>
  return {
    tokens: encode(text).length,
    hits: loaded.map(({ name }) => name),
    candidates: candidates.map(({ name }) => name),
    withoutParameters: loaded.filter((entry) => entry.arguments === undefined).length,
  }
}

interface Entry {
  readonly name: string
  readonly arguments?: string
}

async function tokensWithSchemas(gateway: Gateway, query: string): Promise<number> {
  const session = await gateway.toolSearch.session('before')
  const { answer } = await session.search({ query }, { result: SCHEMAS })
  return encode(answer.text).length
}

function toolsByServer(): Map<string, McpTool[]> {
  const tools = new Map<string, McpTool[]>()
  for (const { source, name, ...tool } of readManifests()) {
    const server = source!.slice('mcp:'.length)
    const own = { ...tool, name: name.slice(`mcp__${server}__`.length) } as McpTool
    tools.set(server, [...(tools.get(server) ?? []), own])
  }
  return tools
}

function count(tools: readonly McpTool[]): number {
  return encode(JSON.stringify(tools)).length
}

function sizes(tokens: readonly number[]): Sizes {
  return {
    answers: tokens.length,
    median: quantile(tokens, 0.5),
    p90: quantile(tokens, 0.9),
    max: Math.max(...tokens),
  }
}
