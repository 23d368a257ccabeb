import { setImmediate } from 'node:timers/promises'
import type { Server } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { createGateway } from '../offering/gateway.ts'
import {
  type FakeServer,
  gatewayConfig,
  serverConfig,
  upstreamSet,
} from '../offering/upstream-set.fixtures.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { GatewayServerFactory } from '../serving/mcp-server.ts'
import { createActivity } from './activity/create-activity.ts'
import { costReport } from './cost-report.ts'
import { recordCalls } from './record-calls.ts'

const tools = [
  { name: 'send', description: 'Sends a letter', inputSchema: { type: 'object' } },
  { name: 'read', description: 'Reads a letter', inputSchema: { type: 'object' } },
]
const client = { id: 'session1', name: 'editor' }
const search = { name: 'tool_search', arguments: { query: 'letter' } }
/** The recorder queues its work with setImmediate, before a call resolves. */
const recorded = () => setImmediate()

function start(answer: FakeServer['answer'], mode: 'search' | 'dynamic' = 'search') {
  const servers = upstreamSet({ mail: { tools, ...(answer && { answer }) } })
  const gateway = createGateway(gatewayConfig([serverConfig('mail')], { mode }), servers)
  const activity = createActivity({ transport: 'http' })
  return { activity, servers, gateway, recorder: recordCalls(gateway, activity) }
}

/** The parts of an SDK server that the recorder uses. */
function connection() {
  const server = {
    getClientVersion: () => ({ name: 'editor', version: '1' }),
    transport: { sessionId: 'session1' },
  } as unknown as Server
  return { server, factory: (() => server) as unknown as GatewayServerFactory }
}

describe('recordCalls', () => {
  it('returns the results and the current settings of the gateway', async () => {
    const { gateway, recorder } = start(undefined, 'dynamic')
    expect(recorder.gateway.isDynamic).toBe(true)
    gateway.configure(gatewayConfig([serverConfig('mail')]))
    expect(recorder.gateway.isDynamic).toBe(false)
    expect(await recorder.gateway.callTool({ name: 'mail__send', arguments: {} })).toEqual({
      content: [{ type: 'text', text: 'done' }],
    })
  })

  it('records the error of a server and rethrows it', async () => {
    const failing = () => {
      throw new UpstreamError('refused', 'mail', 'no stamps', {
        answer: { code: -32_000, message: 'no' },
      })
    }
    const { activity, recorder } = start(failing)
    const params = { name: 'mail__send', arguments: {} }
    const call = recorder.gateway.callTool(params, { client, rejectsWith: () => true })
    await expect(call).rejects.toThrow(UpstreamError)
    await recorded()
    expect(activity.report().events).toMatchObject([
      { kind: 'call', tool: 'mail__send', server: 'mail', failure: 'no stamps' },
    ])
  })

  it('records calls that have not ended when it is closed, once', async () => {
    const endings: (() => void)[] = []
    const hanging = () =>
      new Promise<object>((resolve) => endings.push(() => resolve({ content: [] })))
    const { activity, recorder } = start(hanging as FakeServer['answer'])
    const calls = ['mail__send', 'mail__read'].map((name) =>
      recorder.gateway.callTool({ name, arguments: {} }, { client }),
    )
    await expect.poll(() => endings.length).toBe(2)
    // This one has ended, but is not recorded yet.
    endings[0]!()
    await calls[0]
    recorder.close()
    const events = () =>
      activity.report().events.map((event) => event.kind === 'call' && [event.tool, event.failure])
    const both = [
      ['mail__send', undefined],
      ['mail__read', 'The connection was closed before the call ended.'],
    ]
    expect(events()).toEqual(both)
    endings[1]!()
    await calls[1]
    await recorded()
    expect(events()).toEqual(both)
  })

  it('records the candidates of a search with low confidence', async () => {
    const { activity, recorder } = start(undefined)
    const query = 'grow tomatoes on letters behind the garden shed of a neighbour'
    const doubtful = { name: 'tool_search', arguments: { query } }
    const { content } = await recorder.gateway.callTool(doubtful, { client })
    expect(JSON.parse(String(content![0]!.text))).toMatchObject({
      confidence: 'low',
      candidates: [
        { name: 'mail__read', summary: 'Reads a letter', effect: 'destructive' },
        { name: 'mail__send', summary: 'Sends a letter', effect: 'destructive' },
      ],
    })
    await recorded()
    expect(activity.report()).toMatchObject({
      events: [{ kind: 'search', hits: [], candidates: ['mail__read', 'mail__send'] }],
      sessions: [{ loaded: [] }],
    })
    expect(activity.timesFound('mail__read')).toBe(0)
  })

  it('counts a call with an input request once', async () => {
    let rounds = 0
    const { activity, recorder } = start(() =>
      rounds++ === 0 ? { resultType: 'input_required', inputRequests: {} } : { content: [] },
    )
    const call = { name: 'mail__send', arguments: {} }
    await recorder.gateway.callTool(call, { client })
    await recorder.gateway.callTool({ ...call, inputResponses: {} }, { client })
    await recorded()
    expect(activity.report().events).toHaveLength(1)
  })

  it('records when a connection opens and closes, and keeps its close handler', async () => {
    const { activity, recorder } = start(undefined)
    const { server, factory } = connection()
    let closed = 0
    server.onclose = () => {
      closed += 1
    }
    recorder.watch(factory)({ era: 'legacy' })
    server.oninitialized?.()
    expect(activity.report().sessions).toMatchObject([{ client: 'editor', isOpen: true }])
    server.onclose()
    expect(closed).toBe(1)
    expect(activity.report().sessions).toMatchObject([{ isOpen: false }])
  })

  it('counts added tools in every request, and reports changes only for affected lists', async () => {
    const { activity, recorder, servers } = start(undefined, 'dynamic')
    const { server, factory } = connection()
    recorder.watch(factory)({ era: 'legacy' })
    server.oninitialized?.()
    const other = { id: 'session2', name: 'other' }
    await recorder.gateway.callTool({ name: 'mail__send', arguments: {} }, { client: other })
    await recorder.gateway.callTool(search, { client })
    await recorded()
    const session = (id: string) => activity.session(id)!
    const added = session('session1').ledger.listing - session('session2').ledger.listing
    const costs = costReport(recorder.gateway.toolSearch.catalogue.tools(), [])
    expect(added).toBe(costs.eager)

    const write = { name: 'write', description: 'Writes', inputSchema: { type: 'object' } }
    servers.change('mail', { tools: [...tools, write] })
    expect(session('session1').cacheBreaks).toHaveLength(1)
    servers.change('mail', {
      tools: [{ ...tools[0]!, description: 'Sends two' }, tools[1]!, write],
    })
    expect(session('session1').cacheBreaks.map(({ reason }) => reason)).toEqual([
      'Found tools were added to the list: mail__read, mail__send.',
      "A loaded tool's definition changed.",
    ])
    expect(session('session2').cacheBreaks).toEqual([])
  })

  it('reports tools that a search adds to the list once', async () => {
    const { activity, recorder } = start(undefined, 'dynamic')
    const { server, factory } = connection()
    recorder.watch(factory)({ era: 'legacy' })
    server.oninitialized?.()
    for (let times = 0; times < 2; times++) {
      await recorder.gateway.callTool(search, { client })
      await recorded()
    }
    const [session] = activity.report().sessions
    expect(session!.id).toBe('session1')
    expect(session!.cacheBreaks.map(({ reason }) => reason)).toEqual([
      'Found tools were added to the list: mail__read, mail__send.',
    ])
  })

  it('reports no list change for clients without a connection', async () => {
    const { activity, recorder } = start(undefined, 'dynamic')
    await recorder.gateway.callTool(search, { client })
    await recorded()
    expect(activity.report().sessions[0]!.cacheBreaks).toEqual([])
  })

  it('links the calls of a script to it, and counts no request to the model for them', async () => {
    const { activity, gateway, recorder } = start(undefined)
    const scripts = { timeoutMs: 60_000, cpuMs: 20_000, memoryMb: 32, calls: 5, parallelCalls: 2 }
    const config = { scripts: { ...scripts, chars: 1_000, outputChars: 1_000 } }
    gateway.configure(gatewayConfig([serverConfig('mail')], config))
    const script = 'await tools.mail__send(); return await tools.mail__read()'
    const call = { name: 'run_destructive_script', arguments: { script } }
    await recorder.gateway.callTool(call, { client })
    await recorded()
    const { events, sessions } = activity.report()
    expect(events).toMatchObject([
      { tool: 'run_destructive_script' },
      { tool: 'mail__read', server: 'mail' },
      { tool: 'mail__send', server: 'mail' },
    ])
    const ids = events.map((event) => event.kind === 'call' && event.script)
    expect(new Set(ids)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{8}$/)]))
    expect(sessions[0]!.ledger.requests).toBe(1)
    gateway.close()
  })
})
