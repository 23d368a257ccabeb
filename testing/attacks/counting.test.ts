import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RecordingServer, startRecordingServer } from './recording-server.ts'
import { type Rig, startRig } from './rig.ts'

type RigAnswer = Awaited<ReturnType<Rig['send']>>

const LIMITED = -32_029
const SKILLS = 'io.modelcontextprotocol/skills'

let wiki: RecordingServer
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
    const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, extensions }
    const serverInfo = { name: 'wiki', version: '1' }
    if (method === 'initialize') return { protocolVersion, serverInfo, capabilities }
    if (method === 'resources/list') return { resources: [{ uri: 'wiki://page', name: 'page' }] }
    if (method === 'resources/templates/list') return { resourceTemplates: [] }
    if (method === 'resources/read') return { contents: [{ uri: 'wiki://page', text: 'Hello.' }] }
    if (method === 'prompts/list') return { prompts: [{ name: 'plan' }] }
    if (method === 'prompts/get') return { messages: [] }
    if (method === 'completion/complete') return { completion: { values: [] } }
    if (method === 'skills/list') return { skills: [] }
    return undefined
  }
  const rateLimits = Object.keys(REQUESTS).flatMap((method) => [
    { each: 'server', groups: [`server ${method}`], calls: 2, per: 'day' },
    { each: 'person', groups: [`person ${method}`], calls: 1, per: 'day' },
  ])
  rig = await startRig({ servers: { wiki: { url: wiki.url } }, settings: { rateLimits } })
})
afterAll(async () => {
  await rig.close()
  await wiki.close()
})

const sent = (method: string) =>
  wiki.requests.filter(({ body }) => body.includes(`"method":"${method}"`)).length

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

  it('counts each skill that a call of describe_tools reads', async () => {
    const as = await rig.key('describing', { groups: ['server skills/get'] })
    const before = sent('skills/get')
    const names = Array.from({ length: 20 }, (_, at) => `skill:wiki/describing-${at}`)
    const { json } = await rig.call('describe_tools', { names }, { as })
    expect(JSON.stringify(json.result)).toContain('Rate limit reached')
    expect(sent('skills/get') - before).toBeLessThanOrEqual(2)
  })
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

/** The code of a refusal, or that of a refused call. */
function refusalOf({ json }: RigAnswer): unknown {
  const { isError, content } = json.result ?? {}
  if (isError && String(content?.[0]?.text).startsWith('Rate limit reached')) return LIMITED
  return json.error?.code
}
