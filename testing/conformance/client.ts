// The suite starts this program for client scenarios: our upstream client does what the scenario asks.

import type { ServerConfig } from '../../packages/gateway/src/config/gateway-config.ts'
import { DEFAULT_LIMITS } from '../../packages/gateway/src/config/rules/limit-rules.ts'
import type { JsonObject } from '../../packages/gateway/src/protocol/json-object.ts'
import type { AnswerServerRequest } from '../../packages/gateway/src/protocol/server-request.ts'
import { createUpstream } from '../../packages/gateway/src/upstreams/create-upstream.ts'
import type { Upstream } from '../../packages/gateway/src/upstreams/upstream.ts'
import { createUser, credentialsFor, oauthFor } from './sign-in.ts'

type Act = (upstream: Upstream) => Promise<unknown>

/** What a scenario needs beyond connecting and listing the tools. */
const ACTS: Readonly<Record<string, Act>> = {
  tools_call: (upstream) => call(upstream, 'add_numbers', { a: 5, b: 3 }),
  'sse-retry': (upstream) => call(upstream, 'test_reconnection'),
  'elicitation-sep1034-client-defaults': (upstream) =>
    call(upstream, 'test_client_elicitation_defaults'),
  'http-invalid-tool-headers': (upstream) => callAll(upstream, { region: 'x', value: 'x' }),
  'http-standard-headers': useEverything,
  'http-custom-headers': callFromContext,
  'json-schema-2020-12-preservation': (upstream) =>
    call(upstream, 'json_schema_echo', {
      schema: upstream.tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema,
    }),
  'sep-2322-client-request-state': (upstream) => callAll(upstream),
  'request-metadata': (upstream) => upstream.request('tools/list', {}),
}

/** A user who accepts every form with its default values. */
const accept: AnswerServerRequest = async (_, { requestedSchema }) => {
  const { properties = {} } = (requestedSchema ?? {}) as { properties?: Record<string, JsonObject> }
  const defaults = Object.entries(properties).map(([name, field]) => [name, field.default ?? true])
  return { action: 'accept', content: Object.fromEntries(defaults) }
}

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const url = process.argv.at(-1)!
const oauth = await oauthFor(scenario, url)
const server: ServerConfig = {
  name: 'suite',
  connection: { kind: 'http', url, headers: {}, ...(oauth && { oauth }) },
  alwaysLoad: false,
  prefix: true,
  disabledTools: [],
  deny: [],
  readOnly: false,
  hints: {},
  overrides: {},
  limits: DEFAULT_LIMITS,
  disabled: false,
  credentials: credentialsFor(scenario),
}
const user = await createUser()
const upstream = createUpstream(server, {
  clientCapabilities: { elicitation: { form: {} } },
  onServerRequest: accept,
  authFor: user.authFor,
})
try {
  await user.withSignIn(server, async () => {
    await upstream.connect()
    const { state: code, detail } = upstream.status
    if (code !== 'ready')
      throw Object.assign(new Error(`The server is ${code}: ${detail}`), { code })
  })
  const act = scenario.startsWith('auth/') ? callAll : ACTS[scenario]
  await act?.(upstream)
} finally {
  await upstream.close()
  await user.close()
}

/** Calls a tool, and repeats the call with responses as long as the server requires input. */
async function call(to: Upstream, name: string, args: JsonObject = {}): Promise<JsonObject> {
  let result = await user.withSignIn(server, () =>
    to.request('tools/call', { name, arguments: args }),
  )
  for (let round = 0; result.resultType === 'input_required' && round < 5; round++) {
    const { inputRequests = {}, requestState } = result as {
      inputRequests?: Record<string, { method: string; params: JsonObject }>
      requestState?: string
    }
    const inputResponses: Record<string, JsonObject> = {}
    for (const [key, { method, params }] of Object.entries(inputRequests)) {
      inputResponses[key] = await accept(method, params, AbortSignal.timeout(1_000))
    }
    const state = requestState !== undefined && { requestState }
    result = await to.request('tools/call', { name, arguments: args, inputResponses, ...state })
  }
  return result
}

async function callAll(to: Upstream, args: JsonObject = {}): Promise<void> {
  for (const { name } of to.tools) await call(to, name, args)
}

async function callFromContext(to: Upstream): Promise<void> {
  const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
    toolCalls?: { name: string; arguments: JsonObject }[]
  }
  for (const { name, arguments: args } of context.toolCalls ?? []) await call(to, name, args)
}

async function useEverything(to: Upstream): Promise<void> {
  await callAll(to)
  const { resources } = (await to.request('resources/list', {})) as { resources: JsonObject[] }
  for (const { uri } of resources) await to.request('resources/read', { uri })
  const { prompts } = (await to.request('prompts/list', {})) as { prompts: JsonObject[] }
  for (const { name } of prompts) await to.request('prompts/get', { name })
}
