import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHostileGateway } from './hostile-gateway.ts'
import { type RecordingServer, startRecordingServer } from './recording-server.ts'
import { type Rig, startRig } from './rig.ts'
import { jsonIn, rpcRequest } from './rpc-request.ts'

type RigAnswer = Awaited<ReturnType<Rig['send']>>

const LIMITED = -32_029
const SKILLS = 'io.modelcontextprotocol/skills'

let wiki: RecordingServer
/** Has the same as the other server. */
let vault: RecordingServer
let rig: Rig

/** What requests name, by their methods. */
const REQUESTS = {
  'tools/call': { name: 'wiki__read', arguments: {} },
  'resources/read': { uri: 'wiki://page' },
  'prompts/get': { name: 'wiki__plan' },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'wiki__plan' },
    argument: { name: 'topic', value: '' },
  },
  'skills/get': { uri: 'skill://wiki/refunds/SKILL.md' },
  'resources/directory/read': { uri: 'skill://wiki/refunds' },
  'subscriptions/listen': { notifications: { toolsListChanged: true } },
}

beforeAll(async () => {
  wiki = await startRecordingServer()
  wiki.answer = (method, { protocolVersion }) => {
    const extensions = { [SKILLS]: {} }
    const capabilities = {
      tools: {},
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      logging: {},
      extensions,
    }
    const serverInfo = { name: 'wiki', version: '1' }
    if (method === 'initialize') return { protocolVersion, serverInfo, capabilities }
    if (method === 'resources/list') return { resources: [{ uri: 'wiki://page', name: 'page' }] }
    if (method === 'resources/templates/list') {
      return { resourceTemplates: [{ uriTemplate: 'wiki:///{page}', name: 'page' }] }
    }
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') return {}
    if (method === 'resources/read') return { contents: [{ uri: 'wiki://page', text: 'Hello.' }] }
    if (method === 'prompts/list') return { prompts: [{ name: 'plan' }] }
    if (method === 'prompts/get') return { messages: [] }
    if (method === 'completion/complete') return { completion: { values: [] } }
    if (method === 'skills/list') return { skills: [] }
    if (method === 'logging/setLevel') return {}
    return undefined
  }
  vault = await startRecordingServer()
  vault.answer = wiki.answer
  const methods = [...Object.keys(REQUESTS), 'skills that are not listed']
  const rateLimits = methods.flatMap((method) => [
    { each: 'server', groups: [`server ${method}`], calls: 2, per: 'day' },
    { each: 'person', groups: [`person ${method}`], calls: 1, per: 'day' },
  ])
  const servers = { wiki: { url: wiki.url }, vault: { url: vault.url } }
  const profiles = { search: { mode: 'search' } }
  rig = await startRig({ servers, settings: { rateLimits, profiles } })
})
afterAll(async () => {
  await rig.close()
  await Promise.all([wiki.close(), vault.close()])
})

const sentTo = ({ requests }: RecordingServer, method: string) =>
  requests.filter(({ body }) => body.includes(`"method":"${method}"`)).length
const sent = (method: string) => sentTo(wiki, method)

describe('a limit of requests', () => {
  it.each(Object.entries(REQUESTS))('counts %s', async (method, params) => {
    const as = await rig.key(`person ${method}`, { groups: [`person ${method}`] })
    await rig.call('tool_search', { query: 'read' }, { as })
    const before = wiki.requests.length
    expect(refusalOf(await rig.rpc(method, params, { as }))).toBe(LIMITED)
    expect(wiki.requests).toHaveLength(before)
  })

  const toServer = Object.entries(REQUESTS).filter(([method]) => !method.startsWith('subscr'))
  it.each(toServer)('counts %s for its server', async (method, params) => {
    const as = await rig.key(`server ${method}`, { groups: [`server ${method}`] })
    const ask = () => rig.rpc(method, params, { as })
    expect([refusalOf(await ask()), refusalOf(await ask())]).not.toContain(LIMITED)
    const before = wiki.requests.length
    expect(refusalOf(await ask())).toBe(LIMITED)
    expect(wiki.requests).toHaveLength(before)
  })

  it('counts each resource that a client listens for', async () => {
    const as = await rig.key('listener', { groups: ['server subscriptions/listen'] })
    const before = [sent('resources/subscribe'), sent('resources/unsubscribe')]
    const uris = Array.from({ length: 20 }, (_, at) => `wiki:///${at}`)
    expect(await listen(as, uris)).toEqual(['wiki:///0', 'wiki:///1'])
    expect(await listen(as, uris)).toEqual([])
    const after = [sent('resources/subscribe'), sent('resources/unsubscribe')]
    expect(after.map((count, at) => count - before[at]!)).toEqual([2, expect.any(Number)])
    await expect
      .poll(async () => {
        const entries = await rig.audited({ action: 'resources/subscribe' })
        return entries.filter(({ name }) => name === 'listener').length
      })
      .toBe(40)
    const entries = await rig.audited({ action: 'resources/subscribe', outcome: 'ok' })
    expect(entries.filter(({ name }) => name === 'listener')).toMatchObject(
      ['wiki:///1', 'wiki:///0'].map((name) => ({
        target: { kind: 'resource', server: 'wiki', name },
        client: 'attack',
      })),
    )
  })

  it('counts each request to a server that looks for a skill', async () => {
    const as = await rig.key('looking', { groups: ['server skills that are not listed'] })
    const before = sent('skills/get')
    const read = (uri: string) => rig.rpc('resources/read', { uri }, { as })
    expect(refusalOf(await read('skill://wiki/a/b/c/d/e.md'))).not.toBe(LIMITED)
    expect(sent('skills/get') - before).toBe(4)
    expect(refusalOf(await read('skill://wiki/f/SKILL.md'))).toBe(LIMITED)
    expect(sent('skills/get') - before).toBe(4)
  })

  it('counts each skill that a call of describe_tools reads', async () => {
    const as = await rig.key('describing', { groups: ['server skills/get'] })
    const before = sent('skills/get')
    const names = Array.from({ length: 20 }, (_, at) => `skill:wiki/describing-${at}`)
    const { json } = await rig.call('describe_tools', { names }, { as })
    expect(JSON.stringify(json.result)).toContain('Rate limit reached')
    expect(sent('skills/get') - before).toBeLessThanOrEqual(2)
  })
})

it('a resource that somebody may not listen for is recorded as denied', async () => {
  const as = await rig.key('curious', { allow: ['wiki/read'] })
  expect(await listen(as, ['wiki://page', 'wiki://none'])).toEqual([])
  const recorded = async () => {
    const entries = await rig.audited({ action: 'resources/subscribe' })
    return entries.filter(({ name }) => name === 'curious')
  }
  await expect.poll(recorded).toHaveLength(2)
  expect(await recorded()).toContainEqual(
    expect.objectContaining({
      outcome: 'denied',
      target: { kind: 'resource', server: 'wiki', name: 'wiki://page' },
    }),
  )
})

it('describe_tools takes no more names than its schema says', async () => {
  const as = await rig.key('describing many')
  const before = sent('skills/get')
  const names = Array.from({ length: 2_000 }, (_, at) => `skill:wiki/many-${at}/a/b/c/d`)
  const { json } = await rig.call('describe_tools', { names }, { as })
  expect(json.result).toMatchObject({
    isError: true,
    content: [{ text: 'Pass at most 20 names.' }],
  })
  expect(sent('skills/get')).toBe(before)
})

it('a session cannot begin with a large request, whose contents would be kept', async () => {
  const as = await rig.key('large sessions')
  const answer = await initialize(as, { x: 'x'.repeat(3_000_000) })
  expect(answer.status).toBe(413)
  expect(answer.headers.get('mcp-session-id')).toBeNull()
})

it('a server cannot take over a URI by mentioning it before the server that has it', async () => {
  const as = await rig.key('reader')
  const mention = (method: string) =>
    method === 'tools/call'
      ? { content: [{ type: 'resource_link', uri: 'private://x', name: 'x' }] }
      : undefined
  const usual = wiki.answer!
  wiki.answer = (method, ...rest) => mention(method) ?? usual(method, ...rest)
  rig.notes.answer = mention
  await rig.call('notes__read', {}, { as })
  await rig.call('wiki__read', {}, { as })
  const before = rig.notes.requests.length
  const { json } = await rig.rpc('resources/read', { uri: 'private://x' }, { as })
  expect(json.result.contents).toMatchObject([{ text: 'Hello.' }])
  expect(rig.notes.requests).toHaveLength(before)
  wiki.answer = usual
  rig.notes.answer = undefined
})

it('a log level reaches no server that its sender may not know', async () => {
  const as = await rig.key('readers', { allow: ['wiki/*'] })
  const session = await openSession(as)
  const { json } = await inSession(session, as, 'logging/setLevel', { level: 'debug' })
  expect(json.result).toEqual({})
  await expect.poll(() => sentTo(wiki, 'logging/setLevel')).toBe(1)
  // whatever was sent to it has arrived once this call is answered
  await rig.call('vault__read', {}, { as: rig.admin })
  expect(sentTo(vault, 'logging/setLevel')).toBe(0)
})

it('a server gets a log level once a second at most', async () => {
  const as = await rig.key('fickle')
  const session = await openSession(as)
  const before = sentTo(vault, 'logging/setLevel')
  const start = performance.now()
  for (let at = 0; at < 60; at++) {
    const level = at % 2 === 0 ? 'info' : 'warning'
    await inSession(session, as, 'logging/setLevel', { level })
  }
  await inSession(session, as, 'logging/setLevel', { level: 'alert' })
  const latest = () =>
    vault.requests.findLast(({ body }) => body.includes('logging/setLevel'))?.body
  await expect.poll(latest).toContain('alert')
  const seconds = (performance.now() - start) / 1_000
  expect(sentTo(vault, 'logging/setLevel') - before).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
})

it('the rest of a long result is gone with the right to call the tool', async () => {
  const as = await rig.key('reader of long results')
  const from = { as, path: '/mcp/p/search' }
  const call = { name: 'wiki__read', arguments: { text: 'x'.repeat(200_000) } }
  const { json } = await rig.call('call_read_tool', call, from)
  const [, id, offset] = /id "([^"]+)" and offset (\d+)/.exec(json.result.content[0].text)!
  const readOn = async () => {
    const { json } = await rig.call('read_result', { id, offset: Number(offset) }, from)
    return json.result.content[0].text as string
  }
  expect(await readOn()).toMatch(/^x+/)
  await rig.configure({ access: { rules: [{ allow: ['notes/*'] }] } })
  await expect
    .poll(async () => JSON.stringify((await rig.rpc('tools/list', {}, { as })).json))
    .not.toContain('wiki__')
  expect(await readOn()).toContain('is no longer stored')
})

it('calls of others do not take the place of a result that a client comes back for', async () => {
  const version = '2025-11-25'
  const [alice, eve] = await Promise.all([rig.key('came back'), rig.key('calls a lot')])
  let finish = () => {}
  rig.notes.answer = (method, params) => {
    if (method !== 'tools/call') return undefined
    const { waits } = params.arguments as { waits?: boolean }
    const text = waits ? 'done' : 'x'.repeat(200_000)
    const result = { content: [{ type: 'text', text }] }
    return waits ? new Promise((resolve) => (finish = () => resolve(result))) : result
  }
  let nextId = 2
  /** Clients that can be asked something get an event stream. */
  const open = async (as: string) =>
    (await initialize(as, { elicitation: {} }, version)).headers.get('mcp-session-id')!
  const headersOf = (session: string) => ({
    ...LEGACY,
    'mcp-protocol-version': version,
    'mcp-session-id': session,
  })
  const call = (session: string, as: string, args: object, signal?: AbortSignal) => {
    const params = { name: 'notes__read', arguments: args }
    return fetch(`${rig.url}/mcp`, {
      method: 'POST',
      headers: { ...headersOf(session), authorization: `Bearer ${as}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: nextId++, method: 'tools/call', params }),
      ...(signal && { signal }),
    })
  }
  const session = await open(alice)
  const broken = new AbortController()
  const { body } = await call(session, alice, { waits: true }, broken.signal)
  const { value } = await body!.getReader().read()
  const [, id] = /^id: (.+)$/m.exec(new TextDecoder().decode(value))!
  broken.abort()
  await expect.poll(() => rig.notes.calls.at(-1)).toMatchObject({ arguments: { waits: true } })
  finish()
  const other = await open(eve)
  for (let at = 0; at < 12; at++) {
    const calls = Array.from({ length: 10 }, async () => (await call(other, eve, {})).text())
    expect((await Promise.all(calls)).join('').length).toBeGreaterThan(2_000_000)
  }
  rig.notes.answer = undefined
  const headers = { ...headersOf(session), 'last-event-id': id! }
  const resumed = await rig.send({ path: '/mcp', headers, as: alice })
  expect(resumed.json).toMatchObject({ result: { content: [{ text: 'done' }] } })
})

const LEGACY = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

function initialize(
  as: string,
  capabilities = {},
  protocolVersion = '2025-06-18',
): Promise<RigAnswer> {
  const clientInfo = { name: 'old', version: '1' }
  const params = { protocolVersion, capabilities, clientInfo }
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
  return rig.send({ path: '/mcp', method: 'POST', headers: LEGACY, body, as })
}

/** The id of a new session of the protocol 2025-06-18. */
async function openSession(as: string): Promise<string> {
  return (await initialize(as)).headers.get('mcp-session-id')!
}

/** Opens a stream. Resolves to the resources that the gateway acknowledges, and ends it. */
async function listen(as: string, resourceSubscriptions: readonly string[]): Promise<unknown> {
  const params = { notifications: { resourceSubscriptions } }
  const { headers, ...request } = rpcRequest('subscriptions/listen', params)
  const { body } = await fetch(`${rig.url}/mcp`, {
    ...request,
    headers: { ...headers, authorization: `Bearer ${as}` },
  })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  const { value = '' } = await reader.read()
  await reader.cancel()
  // A stream that listens for nothing has ended at once.
  const [acknowledged = ''] = value.split('\n\n')
  return jsonIn(acknowledged).params.notifications.resourceSubscriptions ?? []
}

function inSession(
  session: string,
  as: string,
  method: string,
  params: object,
): Promise<RigAnswer> {
  const headers = { ...LEGACY, 'mcp-session-id': session }
  const body = { jsonrpc: '2.0', id: 2, method, params }
  return rig.send({ path: '/mcp', method: 'POST', headers, body, as })
}

/** The code of a refusal, or that of a refused call. */
function refusalOf({ json }: RigAnswer): unknown {
  const { isError, content } = json.result ?? {}
  if (isError && String(content?.[0]?.text).startsWith('Rate limit reached')) return LIMITED
  return json.error?.code
}

it('a cancelled call keeps its place while its server goes on with it', async () => {
  const hostile = await openHostileGateway(
    {
      stubborn: `
        const tools = [{ name: 'use', inputSchema: { type: 'object' } }]
        const waiting = []
        const answer = (method, params) => {
          if (method === 'tools/list') return { tools }
          if (method !== 'tools/call') return
          if (params.arguments.ends) for (const end of waiting) end({ content: [] })
          else return new Promise((resolve) => waiting.push(resolve))
          return { content: [{ type: 'text', text: 'ended' }] }
        }`,
    },
    { rateLimits: [{ each: 'server', concurrent: 2 }] },
  )
  await hostile.gateway.ready()
  const { url } = await hostile.gateway.serveHttp()
  const use = (args: object) => ({ name: 'stubborn__use', arguments: args })
  const attempt = (args: object) => hostile.call('call_destructive_tool', use(args))
  const cancel = async () => {
    const abort = new AbortController()
    const params = { name: 'call_destructive_tool', arguments: use({}) }
    const answer = fetch(url, { ...rpcRequest('tools/call', params), signal: abort.signal })
    await new Promise((resolve) => setTimeout(resolve, 200))
    abort.abort()
    await answer.catch(() => {})
  }
  await cancel()
  expect(await attempt({ ends: true })).toBe('ended')
  await Promise.all([cancel(), cancel()])
  expect(await attempt({ ends: true })).toMatch(/can run 2 calls of this server at the same time/)
  await hostile.close()
})
