/**
 * Names of attributes and metrics. Those that do not start with `toolsearch` are of OpenTelemetry's
 * semantic conventions for MCP, generative AI and Node.js, which are still in development.
 *
 * @see https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md
 * @see https://opentelemetry.io/docs/specs/semconv/runtime/nodejs-metrics
 */
export const ATTRIBUTES = {
  method: 'mcp.method.name',
  session: 'mcp.session.id',
  resource: 'mcp.resource.uri',
  operation: 'gen_ai.operation.name',
  tool: 'gen_ai.tool.name',
  prompt: 'gen_ai.prompt.name',
  errorType: 'error.type',
  status: 'rpc.response.status_code',
  transport: 'network.transport',
  /** The server, as the configuration names it. */
  server: 'toolsearch.server.name',
  serverState: 'toolsearch.server.state',
  /** `redis` or `postgres`. */
  store: 'toolsearch.store',
  outcome: 'toolsearch.outcome',
  /** The rule or limit that decided. */
  reason: 'toolsearch.reason',
  profile: 'toolsearch.profile',
  client: 'toolsearch.client.name',
  resultBytes: 'toolsearch.result.size',
  /** `hit` or `miss`. */
  searchResult: 'toolsearch.search.result',
} as const

export const METRICS = {
  serverDuration: 'mcp.server.operation.duration',
  clientDuration: 'mcp.client.operation.duration',
  searches: 'toolsearch.searches',
  refused: 'toolsearch.requests.refused',
  sessions: 'toolsearch.sessions',
  servers: 'toolsearch.servers',
  stores: 'toolsearch.store.available',
  auditWaiting: 'toolsearch.audit.waiting',
  auditLost: 'toolsearch.audit.lost',
  auditFailures: 'toolsearch.audit.failures',
  eventLoopDelay: 'nodejs.eventloop.delay.max',
} as const

/** The boundaries that the conventions recommend, in seconds. */
export const DURATION_BUCKETS: number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
]
