import { createLearning, type LearningOptions } from 'toolsearch/learning'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../identity/caller.ts'
import { LOCAL_PERSON } from '../identity/person.ts'
import { createGateway } from './gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from './upstream-set.fixtures.ts'

const TOOLS = ['create_refund', 'list_charges', 'send_mail', 'read_file'].map((name) => ({
  name,
  description: name.replace('_', ' '),
  inputSchema: { type: 'object' as const },
}))

function open(options: LearningOptions = {}) {
  const learning = createLearning(options)
  const servers = upstreamSet({ company: { tools: TOOLS, answer: () => ({ content: [] }) } })
  const config = gatewayConfig([serverConfig('company')], { mode: 'search', learning: 'shared' })
  return { learning, config, gateway: createGateway(config, servers, { learning }) }
}

type Opened = ReturnType<typeof open>
type Answer = Record<'loaded' | 'candidates', { name: string }[] | undefined>

const callerOf = (id: string): Caller => ({ person: { ...LOCAL_PERSON, id } })

/** The names that a search returns. */
async function search({ gateway }: Opened, query: string, id: string): Promise<string[]> {
  const call = { name: 'tool_search', arguments: { query } }
  const { content } = await gateway.callTool(call, { caller: callerOf(id) })
  const { loaded = [], candidates = [] } = JSON.parse(String(content![0]!.text)) as Answer
  return [...loaded, ...candidates].map(({ name }) => name)
}

async function refund(opened: Opened, query: string, id: string): Promise<void> {
  await search(opened, query, id)
  await search(opened, 'select:company__create_refund', id)
  const call = { name: 'company__create_refund', arguments: {} }
  await opened.gateway.callTool(call, { caller: callerOf(id) })
}

describe('a gateway that learns', () => {
  it('finds a tool by the words that led to it before', async () => {
    const opened = open()
    expect(await search(opened, 'money back', 'ben')).not.toContain('company__create_refund')
    await refund(opened, 'the money back', 'ada')
    expect(await opened.learning.uses()).toMatchObject([
      { tool: 'company__create_refund', words: 'the money back', person: 'ada' },
    ])
    expect(await search(opened, 'money back', 'ben')).toContain('company__create_refund')
  })

  it('keeps what people do apart, with the scope "person"', async () => {
    const opened = open({ scope: 'person' })
    await refund(opened, 'the money back', 'ada')
    expect(await search(opened, 'money back', 'ada')).toContain('company__create_refund')
    expect(await search(opened, 'money back', 'ben')).not.toContain('company__create_refund')
  })

  it('does not take the search of one person for that of another', async () => {
    const opened = open()
    await search(opened, 'the money back', 'ada')
    await refund(opened, 'return the payment', 'ben')
    expect((await opened.learning.uses()).map(({ words }) => words)).toEqual(['return the payment'])
  })
  it('neither records nor ranks by uses once learning is turned off', async () => {
    const opened = open()
    const { gateway, learning, config } = opened
    await refund(opened, 'the money back', 'ada')
    await search(opened, 'return the payment', 'ada')
    gateway.configure({ ...config, learning: 'off' })
    await refund(opened, 'undo the payment', 'ada')
    expect((await learning.uses()).map(({ words }) => words)).toEqual(['the money back'])
    expect(await search(opened, 'money back', 'ada')).not.toContain('company__create_refund')
    gateway.configure(config)
    expect(await search(opened, 'money back', 'ada')).toContain('company__create_refund')
  })
})
