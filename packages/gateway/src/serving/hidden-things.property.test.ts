import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { withoutIds } from './call-cases.fixtures.ts'
import {
  gatewayWithout,
  MARKER,
  restrictedGateway,
  type World,
  type WorldGateway,
  worlds,
} from './hidden-worlds.fixtures.ts'
import { serveHttp } from './http/serve-http.ts'
import { serveStdio } from './serve-stdio.ts'

type Era = 'legacy' | 'modern'
type Request = { readonly method: string; readonly params: JsonObject }

/** A client's end of a connection. */
interface Connection {
  /** Returns the response, with all notifications that arrived before it. */
  request(request: Request): Promise<unknown>
  close(): Promise<unknown>
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const INITIALIZE: Request = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}

function messageOf({ method, params }: Request, era: Era, id: number): JsonObject {
  return {
    jsonrpc: '2.0',
    id,
    method,
    params: era === 'modern' ? { ...params, _meta: ENVELOPE } : params,
  }
}

function connectStdio({ factory }: WorldGateway, era: Era): Connection {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const received: JsonObject[] = []
  let wake: (() => void) | undefined
  output.on('data', (chunk) => {
    for (const line of String(chunk).trim().split('\n')) received.push(JSON.parse(line))
    wake?.()
  })
  const service = serveStdio(factory, { input, output })
  let id = 0
  return {
    async request(request) {
      const message = messageOf(request, era, ++id)
      input.write(`${JSON.stringify(message)}\n`)
      while (!received.some((each) => each.id === message.id)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return received.splice(0)
    },
    close: () => service.close(),
  }
}

async function connectHttp(
  { factory, gateway, servers }: WorldGateway,
  era: Era,
): Promise<Connection> {
  const service = await serveHttp(factory, { gateway, servers })
  let session: string | null = null
  let id = 0
  return {
    async request(request) {
      const { method, params } = request
      const response = await fetch(service.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': era === 'legacy' ? '2025-11-25' : '2026-07-28',
          ...(session !== null && { 'mcp-session-id': session }),
          ...(era === 'modern' && { 'mcp-method': method }),
          ...(era === 'modern' && { 'mcp-name': String(params.name ?? params.uri ?? '') }),
        },
        body: JSON.stringify(messageOf(request, era, ++id)),
      })
      session ??= response.headers.get('mcp-session-id')
      const text = await response.text()
      const isStream = response.headers.get('content-type')?.includes('event-stream')
      const data = isStream ? [...text.matchAll(/^data: (.+)$/gm)].map(([, line]) => line!) : [text]
      return [response.status, ...data.map((line) => JSON.parse(line))]
    },
    close: () => service.close(),
  }
}

const call = (name: string, args: JsonObject = {}): Request => ({
  method: 'tools/call',
  params: { name, arguments: args },
})

/** Every method, with the names of everything in the world, hidden or not, and similar ones. */
function requestsIn(world: World, era: Era): Request[] {
  const names = world.servers.flatMap((server) => [
    ...server.tools.map((tool) => `${server.name}__${tool.name}`),
    `${server.name}__nothing`,
    server.name,
  ])
  const skills = world.servers.flatMap((server) => [
    ...server.skills.map((skill) => `skill:${server.name}/${skill.name}`),
    `skill:${server.name}/plan`,
  ])
  const skillUris = skills.map((name) => `${name.replace('skill:', 'skill://')}/SKILL.md`)
  const queries = [
    ...world.servers.flatMap(({ name, tools, skills }) => [
      name,
      ...[...tools, ...skills].map(({ words }) => words),
    ]),
    'how to send a letter',
    'send letter',
    'lettre',
    'invoi',
    'something else entirely',
    MARKER,
    `+${MARKER} letter`,
  ]
  const uris = ['note://1', 'note://2', 'file://{id}', 'file://9', 'mail://1', `${MARKER}://1`]
  const prompts = world.servers.flatMap(({ name, prompts }) => [
    ...prompts.map((prompt) => `${name}__${prompt.name}`),
    `${name}__greet`,
  ])
  const callTools =
    world.callTools === 'one' ? ['call_tool'] : ['call_read_tool', 'call_write_tool']
  return [
    { method: 'tools/list', params: {} },
    ...queries.map((query) => call('tool_search', { query })),
    call('tool_search', { queries: queries.slice(0, 4) }),
    call('tool_search', { query: `select:${names.join(',')}` }),
    ...names.map((name) => call(name)),
    ...names.flatMap((name) => callTools.map((tool) => call(tool, { name, arguments: {} }))),
    ...names.map((name) => call(name.replace('e', '3'))),
    call('describe_tools', { names }),
    call('tool_search', { query: `select:${skills.join(',')}` }),
    ...skills.map((name) => call('describe_tools', { names: [name] })),
    ...skills.map((name) => call(name)),
    { method: 'skills/list', params: {} },
    ...skillUris.flatMap((uri) => [
      { method: 'skills/get', params: { uri } },
      { method: 'resources/read', params: { uri } },
    ]),
    { method: 'resources/read', params: { uri: 'skill://plan/SKILL.md' } },
    ...world.servers.map(({ name }) => ({
      method: 'resources/directory/read',
      params: { uri: `skill://${name}` },
    })),
    call('read_result', { id: MARKER, offset: 0 }),
    { method: 'tools/list', params: {} },
    { method: 'resources/list', params: {} },
    { method: 'resources/templates/list', params: {} },
    ...uris.map((uri) => ({ method: 'resources/read', params: { uri } })),
    ...(era === 'legacy'
      ? uris.map((uri) => ({ method: 'resources/subscribe', params: { uri } }))
      : [{ method: 'server/discover', params: {} }]),
    { method: 'prompts/list', params: {} },
    ...prompts.map((name) => ({ method: 'prompts/get', params: { name } })),
    ...prompts.map((name) => completion({ type: 'ref/prompt', name })),
    ...uris.map((uri) => completion({ type: 'ref/resource', uri })),
  ]
}

function completion(ref: JsonObject): Request {
  return { method: 'completion/complete', params: { ref, argument: { name: 'a', value: '' } } }
}

type Connect = (side: WorldGateway, era: Era) => Connection | Promise<Connection>

/** Sends the same requests to both gateways and expects the same bytes. */
async function compare(world: World, era: Era, connect: Connect): Promise<void> {
  const [restricted, without] = [restrictedGateway(world), gatewayWithout(world)]
  const [one, other] = [await connect(restricted, era), await connect(without, era)]
  const both = async (request: Request) => {
    const sent = await Promise.all([one.request(request), other.request(request)])
    const [answer, expected] = sent.map((messages) => JSON.stringify(withoutIds(messages)))
    expect(answer, JSON.stringify(request)).toBe(expected)
    const isAsked = JSON.stringify(request).includes(MARKER)
    if (!isAsked) expect(answer).not.toContain(MARKER)
  }
  try {
    if (era === 'legacy') await both(INITIALIZE)
    for (const request of requestsIn(world, era)) await both(request)
    // What happens to hidden things is not noticed, what happens to others is.
    for (const { name, isHidden, tools } of world.servers) {
      if (isHidden) {
        restricted.servers.notify(name, 'notifications/resources/list_changed')
        restricted.servers.notify(name, 'notifications/prompts/list_changed')
        restricted.servers.notify(name, 'notifications/message', { level: 'error', data: MARKER })
        restricted.servers.notify(name, 'notifications/resources/updated', { uri: 'note://1' })
        restricted.servers.change(name, undefined)
      } else if (tools.every((tool) => !tool.isHidden)) {
        for (const { servers } of [restricted, without]) {
          servers.notify(name, 'notifications/resources/list_changed')
        }
      }
    }
    await both({ method: 'tools/list', params: {} })
    await both(call('tool_search', { query: 'send letter' }))
  } finally {
    await Promise.all([one.close(), other.close()])
    restricted.gateway.close()
    without.gateway.close()
  }
}

it('leaves no trace of what a caller may not use in any reply, over stdio and HTTP', async () => {
  const era = fc.constantFrom<Era>('legacy', 'modern')
  const over = (connect: Connect) =>
    fc.asyncProperty(worlds, era, (world, era) => compare(world, era, connect))
  // Mostly over stdio, which is several times as fast.
  await checkProperty(over(connectStdio), { cases: 8, deepCases: 80 })
  await checkProperty(over(connectHttp), { cases: 3, deepCases: 20 })
})
