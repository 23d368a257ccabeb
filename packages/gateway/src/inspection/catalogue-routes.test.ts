import { afterEach, describe, expect, it } from 'vitest'
import type { SetupProblem } from '../offering/setup-problem.ts'
import type { Overview, ToolList, ToolReport } from './api.ts'
import { closeAll, open, tool } from './inspection.fixtures.ts'

afterEach(closeAll)

describe('GET /api/overview', () => {
  it('reports the servers in configuration order, their cost and the URL of the gateway', async () => {
    const { ask, origin } = await open()
    const { status, data } = await ask<Overview>('/api/overview')
    expect(status).toBe(200)
    expect(data).toMatchObject({ version: '1.2.3', mode: 'search', url: `${origin}/mcp` })
    expect(data.servers.map(({ name, state, tools }) => [name, state, tools])).toEqual([
      ['mail', 'ready', 3],
      ['broken', 'failed', 0],
    ])
    expect(data.servers[1]!.detail).toBe('It ended with code 1.')
    expect(data.servers[0]!.tokens).toBe(data.cost.eager)
    expect(data.rankers[0]).toMatchObject({ id: 'unified', isServing: true })
    expect(data.rankers.filter(({ isServing }) => isServing)).toHaveLength(1)
    expect(data.rankers.map(({ id }) => id)).toContain('hybrid')
  })

  it('has no URL if the gateway serves stdio', async () => {
    const { ask } = await open(undefined, { transport: 'stdio' })
    expect((await ask<Overview>('/api/overview')).data.url).toBeUndefined()
  })
})

describe('findings about the configuration', () => {
  it('contain identity providers and stores while they cannot be reached', async () => {
    const message = 'toolsearch.json:3 toolsearch.state.redis: Redis cannot be reached.'
    let problems: readonly SetupProblem[] = [{ kind: 'ineffective', path: [], message }]
    const tools = [tool('send_mail', 'Sends a letter')]
    const { ask } = await open({ mail: { tools } }, { serviceProblems: () => problems })
    const findings = async () => (await ask<Overview>('/api/overview')).data.findings
    expect(await findings()).toEqual([{ kind: 'setup', tool: '', message }])
    problems = []
    expect(await findings()).toEqual([])
  })

  it('name a rule that matches no tool until it is fixed', async () => {
    const tools = [tool('send_mail', 'Sends a letter'), tool('read_mail', 'Reads the letters')]
    const config = { deny: ['send_mial'] }
    const { ask, gateway } = await open({ mail: { tools } }, { config })
    const findings = async () => (await ask<Overview>('/api/overview')).data.findings
    expect(await findings()).toContainEqual({
      kind: 'setup',
      tool: '',
      message: 'toolsearch.deny[0] "send_mial" matches no tool. Did you mean "send_mail"?',
    })
    gateway.configure({ ...gateway.config, deny: ['send_mail'] })
    expect(await findings()).toEqual([])
    const { servers } = (await ask<Overview>('/api/overview')).data
    const { hidden } = (await ask<ToolList>('/api/tools')).data
    expect(servers[0]?.tools).toBe(1)
    expect(hidden).toMatchObject([
      { server: 'mail', tool: 'send_mail', hiddenBy: 'toolsearch.deny[0]' },
    ])
  })
})

describe('GET /api/tools', () => {
  it('lists every tool, sorted by name', async () => {
    const { ask } = await open(undefined, { config: { pins: ['mail/read_mail'] } })
    const { data } = await ask<ToolList>('/api/tools')
    expect(data.tools.map(({ name }) => name)).toEqual([
      'mail__list_folders',
      'mail__read_mail',
      'mail__send_mail',
    ])
    expect(data.tools[2]).toMatchObject({
      server: 'mail',
      summary: 'Sends a letter to somebody.',
      effect: 'write',
      isPinned: false,
      isChanged: false,
    })
    expect(data.tools[1]).toMatchObject({ effect: 'read', isPinned: true })
  })

  it('changes its version only when the list changes', async () => {
    const { ask, servers } = await open()
    const first = await ask<ToolList>('/api/tools')
    expect(await ask<ToolList>('/api/tools')).toEqual(first)
    servers.change('mail', { tools: [tool('send_mail', 'Sends a letter by pigeon')] })
    const second = await ask<ToolList>('/api/tools')
    expect(second.data.version).not.toBe(first.data.version)
    expect(second.data.tools).toHaveLength(1)
  })

  it('returns thousands of tools in one gzipped response', async () => {
    const tools = Array.from({ length: 2_000 }, (_, at) => tool(`tool_${at}`, `Does thing ${at}`))
    const { origin } = await open({ many: { tools } })
    const response = await fetch(`${origin}/api/tools`)
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(((await response.json()) as ToolList).tools).toHaveLength(2_000)
    const plain = await fetch(`${origin}/api/tools`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(((await plain.json()) as ToolList).tools).toHaveLength(2_000)
  })
})

describe('GET /api/tools/NAME', () => {
  it('returns the definition of the server, and how to call the tool', async () => {
    const { ask } = await open()
    const { data } = await ask<ToolReport>('/api/tools/mail__send_mail')
    expect(data).toMatchObject({
      name: 'mail__send_mail',
      originalName: 'send_mail',
      access: { shown: 'by-search', callWith: 'call_write_tool', reach: 'this-machine' },
    })
    expect(data.definition.description).toBe('Sends a letter to somebody.\nMore of it.')
  })

  it('reports that a listed tool is called directly', async () => {
    const { ask } = await open(undefined, { config: { mode: 'passthrough' } })
    const { data } = await ask<ToolReport>('/api/tools/mail__send_mail')
    expect(data.access).toEqual({ shown: 'listed', reach: 'this-machine' })
  })

  it.each([
    ['/api/tools/none', 404, 'There is no tool "none"'],
    ['/api/tools/%E0%A4', 400, 'is not a valid name'],
    ['/api/nothing', 404, '/api/overview'],
    ['/api', 404, '/api/overview'],
  ])('answers %s with status %i', async (path, status, words) => {
    const { ask } = await open()
    const answer = await ask<{ error: string }>(path)
    expect(answer.status).toBe(status)
    expect(answer.data.error).toContain(words)
  })
})
