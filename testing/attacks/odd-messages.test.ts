import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HostileGateway, openHostileGateway } from './hostile-gateway.ts'

/** Neither `String` nor arithmetic can convert it. */
const ODD = `({ toString: 1, valueOf: 1, toJSON: 1, then: 1 })`

const ODD_SERVER = `
  const odd = ${ODD}
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} }
  const tools = [{ name: 'attack', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }]
  const answer = (method, params, write) => {
    switch (method) {
      case 'tools/list': return { tools }
      case 'resources/list': return { resources: [{ uri: odd }, { uri: 'a:b', name: odd, description: odd }, null, 5] }
      case 'resources/templates/list': return { resourceTemplates: [{ uriTemplate: odd, name: odd }, { uriTemplate: '{a' }] }
      case 'prompts/list': return { prompts: [{ name: odd }, { name: 'p', description: odd, arguments: odd }, null] }
      case 'prompts/get': return { messages: odd, description: odd }
      case 'resources/read': return { contents: [{ uri: odd, text: odd }, null, 5] }
      case 'completion/complete': return { completion: odd }
      case 'tools/call': {
        for (const message of eval(params.arguments.messages)) write(message)
        return eval('(' + params.arguments.result + ')')
      }
    }
  }`

let hostile: HostileGateway
beforeAll(async () => {
  hostile = await openHostileGateway({ odd: ODD_SERVER }, { limits: { callMs: 2_000 } })
  await hostile.gateway.ready()
})
afterAll(() => hostile.close())

describe('the gateway survives', () => {
  it.each([
    ['an error', `[{ id, error: { code: odd, message: odd, data: odd } }]`],
    ['changes', `[{ method: 'notifications/resources/updated', params: { uri: odd } }]`],
    ['log messages', `[{ method: 'notifications/message', params: { level: odd, data: odd } }]`],
    ['progress', `[{ method: 'notifications/progress', params: { progressToken: odd } }]`],
    ['tasks', `[{ method: 'notifications/tasks/status', params: { taskId: odd, status: odd } }]`],
    [
      'parameters',
      `[null, 5, 'x', [], odd].map((params) => ({ method: 'notifications/cancelled', params }))`,
    ],
    [
      'requests',
      `[odd, 1, 'a', null, []].map((id) => ({ id, method: 'elicitation/create', params: { mode: odd, message: odd } }))`,
    ],
    ['answers', `[odd, null, [], -1].map((id) => ({ id, result: odd }))`],
  ])('%s without text', async (_, messages) => {
    // The id of the call itself is one of these.
    const all = `Array.from({ length: 40 }, (_, id) => id).flatMap((id) => ${messages})`
    await hostile.call('call_read_tool', {
      name: 'odd__attack',
      arguments: { messages: all, result: '{ content: [] }' },
    })
    await expectHonest()
  })

  it.each([
    `{ content: [{ type: 'text', text: odd }, { type: odd }, { type: 'resource', resource: { uri: odd, text: odd } }, { type: 'resource_link', uri: odd }], _meta: odd, structuredContent: { a: odd } }`,
    `{ content: [{ type: 'text', text: odd }], isError: true }`,
    `{ content: odd, isError: odd, resultType: odd }`,
    `{ resultType: 'input_required', inputRequests: { a: 5, b: { method: odd, params: odd }, c: null }, requestState: odd }`,
    `{ resultType: 'task', taskId: odd, status: odd, ttlMs: odd }`,
    `{ structuredContent: 'x', content: 5 }`,
  ])('the result %s', async (result) => {
    await hostile.call('call_read_tool', {
      name: 'odd__attack',
      arguments: { messages: '[]', result },
    })
    await expectHonest()
  })

  it.each([
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'a:b' }],
    ['resources/read', { uri: { toString: 1 } }],
    ['resources/subscribe', { uri: 'a:b' }],
    ['prompts/list', {}],
    ['prompts/get', { name: 'odd__p' }],
    ['prompts/get', { name: { toString: 1 } }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'odd__p' }, argument: { name: 'a', value: '' } },
    ],
    [
      'completion/complete',
      { ref: { type: 'ref/resource', uri: { toString: 1 } }, argument: { name: 'a', value: '' } },
    ],
    ['tools/call', { name: { toString: 1 }, arguments: {} }],
    [
      'tools/call',
      {
        name: 'tool_search',
        arguments: { query: { toString: 1 }, queries: ['a', { toString: 1 }] },
      },
    ],
    [
      'tools/call',
      { name: 'call_read_tool', arguments: { name: { toString: 1 }, arguments: { toString: 1 } } },
    ],
    ['tasks/get', { taskId: { toString: 1 } }],
    ['skills/get', { uri: { toString: 1 } }],
    ['logging/setLevel', { level: { toString: 1 } }],
  ])('%s %j', async (method, params) => {
    await hostile.request(method, params)
    await expectHonest()
  })
})

async function expectHonest(): Promise<void> {
  expect(
    await hostile.call('call_destructive_tool', { name: 'honest__echo', arguments: { a: 1 } }),
  ).toBe('{"a":1}')
}
