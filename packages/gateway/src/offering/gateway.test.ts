import { estimateTokens } from 'toolsearch'
import { fieldedRanker } from 'toolsearch/rankers'
import { describe, expect, it, vi } from 'vitest'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { createGateway } from './gateway.ts'
import type { CallResult } from './large-results.ts'
import {
  type FakeServer,
  gatewayConfig,
  serverConfig,
  upstreamSet,
} from './upstream-set.fixtures.ts'

const subject = {
  type: 'object',
  properties: { subject: { type: 'string' } },
  required: ['subject'],
}
const read = {
  name: 'read_mail',
  description: 'Reads a letter',
  inputSchema: subject,
  annotations: { readOnlyHint: true },
}
const write = {
  name: 'send_mail',
  description: 'Sends a letter',
  inputSchema: subject,
  annotations: { destructiveHint: false },
}
const wipe = { name: 'wipe_mailbox', description: 'Deletes every letter', inputSchema: subject }
const mail: FakeServer = { tools: [read, write, wipe] }

function start(servers: Record<string, FakeServer>, more: Partial<GatewayConfig> = {}) {
  const set = upstreamSet(servers)
  const configs = Object.keys(servers).map((name) => serverConfig(name))
  return { set, gateway: createGateway(gatewayConfig(configs, more), set) }
}
/** Records which servers' tools have been read. */
function watchTools({ upstreams }: ReturnType<typeof upstreamSet>): ReadonlySet<string> {
  const read = new Set<string>()
  for (const upstream of upstreams.values()) {
    const { tools } = upstream
    Object.defineProperty(upstream, 'tools', {
      get() {
        read.add(upstream.name)
        return tools
      },
    })
  }
  return read
}
const textOf = (result: CallResult) => String(result.content?.[0]?.text)
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)

describe('the tool list', () => {
  it('has the same few tools regardless of the servers', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({ ...read, name: `tool_${at}` }))
    const { gateway } = start({ mail, many: { tools: many } })
    expect(names(gateway.listTools())).toEqual([
      'tool_search',
      'describe_tools',
      'call_read_tool',
      'call_write_tool',
      'call_destructive_tool',
      'read_result',
    ])
    const [, ...others] = gateway.listTools()
    expect(others).toEqual(start({}).gateway.listTools().slice(1))
    expect(estimateTokens(JSON.stringify(gateway.listTools()))).toBeLessThan(2_000)
    for (const tool of gateway.listTools()) {
      expect(tool._meta).toEqual({ 'anthropic/alwaysLoad': true })
    }
  })

  it('is available before tools are indexed, and a search indexes them first', async () => {
    const ranker = fieldedRanker()
    const index = vi.spyOn(ranker, 'set')
    const gateway = createGateway(gatewayConfig([serverConfig('mail')]), upstreamSet({ mail }), {
      ranker: () => ranker,
    })
    expect(gateway.listTools()).toHaveLength(6)
    expect(index).not.toHaveBeenCalled()
    const found = await gateway.callTool({ name: 'tool_search', arguments: { query: 'send mail' } })
    expect(textOf(found)).toContain('mail__send_mail')
  })

  it('is indexed in the background without any request', async () => {
    const set = upstreamSet({ mail, more: mail })
    const indexed = watchTools(set)
    createGateway(gatewayConfig([serverConfig('mail'), serverConfig('more')]), set)
    await expect.poll(() => [...indexed]).toEqual(['mail', 'more'])
  })

  it('follows the order of the configuration, whichever server changes first', () => {
    const set = upstreamSet({ mail, more: mail })
    const configs = [serverConfig('mail'), serverConfig('more')]
    const gateway = createGateway(gatewayConfig(configs, { mode: 'passthrough' }), set)
    set.change('more', mail)
    expect(names(gateway.listTools()).map((name) => name.split('__')[0])).toEqual([
      ...['mail', 'mail', 'mail'],
      ...['more', 'more', 'more'],
    ])
  })

  it('has a single call tool and the pinned tools if configured', () => {
    const { gateway } = start({ mail }, { callTools: 'one', pins: ['mail/read_mail'] })
    expect(names(gateway.listTools())).toEqual([
      'tool_search',
      'describe_tools',
      'call_tool',
      'read_result',
      'mail__read_mail',
    ])
  })

  it('contains tools with invalid schemas, corrected for clients', () => {
    const tool = {
      name: 'resize',
      inputSchema: { type: 'dict', properties: { size: { type: 'float' } } },
      outputSchema: { type: 'object', properties: { at: { pattern: '(?P<a>x)' } } },
    }
    const { gateway } = start({ mail: { tools: [tool] } }, { mode: 'passthrough' })
    expect(gateway.listTools()).toEqual([
      {
        name: 'mail__resize',
        inputSchema: { type: 'object', properties: { size: { type: 'number' } } },
        outputSchema: { type: 'object', properties: { at: {} } },
      },
    ])
  })

  it('contains every tool unchanged in mode passthrough', () => {
    const tool = { ...read, icons: [{ src: 'data:,' }], outputSchema: { type: 'object' } }
    const { gateway } = start({ mail: { tools: [tool] } }, { mode: 'passthrough' })
    expect(gateway.listTools()).toEqual([{ ...tool, name: 'mail__read_mail' }])
  })

  it('leaves it to searches whether a server wants its tools always loaded', async () => {
    const tool = { ...read, _meta: { 'anthropic/alwaysLoad': true }, loading: 'eager' }
    const { gateway } = start({ mail: { tools: [tool] } })
    expect(names(gateway.listTools())).not.toContain('mail__read_mail')
    for (const query of ['read a letter', 'select:mail__read_mail']) {
      const found = await gateway.callTool({ name: 'tool_search', arguments: { query } })
      expect(JSON.parse(textOf(found)).loaded).toMatchObject([
        { name: 'mail__read_mail', arguments: '{subject: string}' },
      ])
    }
  })

  it('omits the prefix of a server with prefix: false, except for reserved names', () => {
    const set = upstreamSet({ mail: { tools: [read, { ...write, name: 'tool_search' }] } })
    const config = gatewayConfig([serverConfig('mail', { prefix: false })], { mode: 'passthrough' })
    expect(names(createGateway(config, set).listTools())).toEqual([
      'read_mail',
      'mail__tool_search',
    ])
  })

  it('contains every tool in mode auto while there are few', () => {
    const { set, gateway } = start({ mail, many: { tools: [] } }, { mode: 'auto' })
    const changed = vi.fn()
    gateway.onListChanged(changed)
    expect(names(gateway.listTools())).toContain('mail__wipe_mailbox')
    const many = Array.from({ length: 20 }, (_, at) => ({ ...read, name: `tool_${at}` }))
    set.change('many', { tools: many })
    expect(names(gateway.listTools())).toContain('tool_search')
    expect(changed).toHaveBeenCalledOnce()
  })

  it('leaves out denied tools and tools with an invalid schema', async () => {
    const bad = { ...read, name: 'bad', inputSchema: 'nonsense' }
    const set = upstreamSet({ mail: { tools: [bad, read, wipe] } })
    const config = gatewayConfig([serverConfig('mail', { deny: ['wipe_mailbox'] })], {
      mode: 'passthrough',
    })
    const gateway = createGateway(config, set)
    expect(names(gateway.listTools())).toEqual(['mail__read_mail'])
    const result = await gateway.callTool({
      name: 'mail__wipe_mailbox',
      arguments: { subject: 'x' },
    })
    expect(result.isError).toBe(true)
    expect(set.calls).toEqual([])
  })
})

describe('tool_search', () => {
  it('returns parameters and the effect that selects the call tool', async () => {
    const { gateway } = start({ mail })
    const result = await gateway.callTool({
      name: 'tool_search',
      arguments: { query: 'send a letter', max_results: 1 },
    })
    expect(JSON.parse(textOf(result))).toMatchObject({
      loaded: [{ name: 'mail__send_mail', arguments: '{subject: string}', effect: 'write' }],
    })
  })

  it('returns the same result for a repeated search', async () => {
    const { gateway } = start({ mail })
    const ask = { name: 'tool_search', arguments: { query: 'send a letter', max_results: 1 } }
    const [first] = [await gateway.callTool(ask), await gateway.callTool(ask)]
    expect(JSON.parse(textOf(first!)).loaded).toHaveLength(1)
  })

  it('names the servers that are not ready', async () => {
    const { gateway } = start({
      mail,
      slow: { tools: [], state: 'connecting' },
      dead: { tools: [], state: 'failed', detail: 'No such file: nope.' },
      lazy: { tools: [], state: 'idle' },
    })
    const result = await gateway.callTool({ name: 'tool_search', arguments: { query: 'letter' } })
    expect(JSON.parse(textOf(result)).not_ready).toEqual([
      { server: 'dead', state: 'failed', detail: 'No such file: nope.' },
      { server: 'slow', state: 'connecting' },
    ])
  })
})

describe('describe_tools', () => {
  it('returns full definitions and names the missing tools', async () => {
    const { gateway } = start({ mail })
    const result = await gateway.callTool({
      name: 'describe_tools',
      arguments: { names: ['mail__read_mail', 'nope'] },
    })
    expect(JSON.parse(textOf(result))).toEqual({
      tools: [{ ...read, name: 'mail__read_mail', effect: 'read' }],
      missing: ['nope'],
    })
  })
})

describe('a call', () => {
  const call = (through: string, name: string, args: object = { subject: 'x' }) => ({
    name: through,
    arguments: { name, arguments: args },
  })

  it('reaches the server under the original tool name, with all other fields unchanged', async () => {
    const { set, gateway } = start({ mail })
    const params = { ...call('call_read_tool', 'mail__read_mail'), _meta: { trace: '1' } }
    expect(await gateway.callTool(params)).toEqual({ content: [{ type: 'text', text: 'done' }] })
    expect(set.calls).toEqual([
      {
        server: 'mail',
        params: { name: 'read_mail', arguments: { subject: 'x' }, _meta: { trace: '1' } },
      },
    ])
  })

  it('returns results of every kind unchanged', async () => {
    const result = {
      content: [
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'file:///x', name: 'x' },
      ],
      structuredContent: { a: [1] },
      isError: true,
      _meta: { b: 2 },
    }
    const { gateway } = start({ mail: { ...mail, answer: () => result } })
    expect(await gateway.callTool(call('call_read_tool', 'mail__read_mail'))).toEqual(result)
  })

  it('through the wrong call tool is rejected with the name of the right one', async () => {
    const { set, gateway } = start({ mail })
    const result = await gateway.callTool(call('call_read_tool', 'mail__wipe_mailbox'))
    expect(textOf(result)).toBe(
      '"mail__wipe_mailbox" is destructive: call it with call_destructive_tool.',
    )
    expect(set.calls).toEqual([])
  })

  it('of an unknown tool suggests the closest names', async () => {
    const { gateway } = start({ mail })
    const result = await gateway.callTool(call('call_read_tool', 'mail__reed_mail'))
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain('mail__read_mail')
  })

  it('with invalid arguments is answered with the schema', async () => {
    const { set, gateway } = start({ mail })
    const result = await gateway.callTool(call('call_read_tool', 'mail__read_mail', { subject: 7 }))
    expect(textOf(result)).toContain('subject must be string')
    expect(textOf(result)).toContain('inputSchema')
    expect(set.calls).toEqual([])
  })

  it('that fails returns the error as a result', async () => {
    const answer = () => {
      throw new Error('mail has disconnected.')
    }
    const { gateway } = start({ mail: { ...mail, answer } })
    expect(await gateway.callTool(call('call_read_tool', 'mail__read_mail'))).toEqual({
      content: [{ type: 'text', text: 'mail has disconnected.' }],
      isError: true,
    })
  })

  it('rejects with the error of the server if the caller asks for it, for direct calls only', async () => {
    const answer = { code: -32602, message: 'No such box.' }
    const refusal = new UpstreamError('refused', 'mail', 'mail answered with an error.', { answer })
    const { gateway } = start({
      mail: {
        ...mail,
        answer() {
          throw refusal
        },
      },
    })
    const params = { name: 'mail__read_mail', arguments: { subject: 'x' } }
    const options = { rejectsWith: (_: unknown, isOwnName: boolean) => isOwnName }
    await expect(gateway.callTool(params, options)).rejects.toBe(refusal)
    const through = await gateway.callTool(call('call_read_tool', 'mail__read_mail'), options)
    expect((await gateway.callTool(params)).isError).toBe(true)
    expect(through.isError).toBe(true)
  })

  it.each(['constructor', 'toString', '__proto__'])('works for a tool named %s', async (name) => {
    const { gateway } = start({ mail: { tools: [{ ...read, name }] } })
    const result = await gateway.callTool(call('call_read_tool', `mail__${name}`))
    expect(textOf(result)).toBe('done')
  })

  it('with a long result is truncated, and read_result returns the rest', async () => {
    const long = 'abcdefghij'.repeat(250)
    const answer = () => ({ content: [{ type: 'text', text: long }] })
    const { gateway } = start({ mail: { ...mail, answer } })
    let result = await gateway.callTool(call('call_read_tool', 'mail__read_mail'))
    let whole = ''
    for (let part = 0; part < 5; part++) {
      const [shown = '', note] = textOf(result).split('\n\n[Truncated at ')
      whole += shown
      if (note === undefined) break
      const [, id, offset] = /id "(.+)" and offset (\d+)/.exec(note)!
      result = await gateway.callTool({
        name: 'read_result',
        arguments: { id, offset: Number(offset) },
      })
    }
    expect(whole).toBe(long)
  })

  it.each(['passthrough', 'auto'] as const)(
    'in mode %s returns a long result whole, because read_result is not listed',
    async (mode) => {
      const content = [{ type: 'text', text: 'x'.repeat(3_000) }]
      const { gateway } = start({ mail: { ...mail, answer: () => ({ content }) } }, { mode })
      const params = { name: 'mail__read_mail', arguments: { subject: 'x' } }
      expect(await gateway.callTool(params)).toEqual({ content })
      expect(names(gateway.listTools())).not.toContain('read_result')
    },
  )

  it('truncates the text of embedded resources as well', async () => {
    const text = 'abcdefghij'.repeat(150)
    const resource = { uri: 'file:///a', mimeType: 'text/plain', text }
    const blob = { type: 'resource', resource: { uri: 'file:///b', blob: 'AA==' } }
    const content = [{ type: 'resource', resource, _meta: { a: 1 } }, blob]
    const { gateway } = start({ mail: { ...mail, answer: () => ({ content }) } })
    const result = await gateway.callTool(call('call_read_tool', 'mail__read_mail'))
    const [cut, other] = result.content as unknown as { resource: { text: string } }[]
    expect(cut).toEqual({ ...content[0], resource: { ...resource, text: cut!.resource.text } })
    expect(other).toEqual(blob)
    const [shown, note = ''] = cut!.resource.text.split('\n\n[Truncated at ')
    const [, id, offset] = /id "(.+)" and offset (\d+)/.exec(note)!
    const params = { name: 'read_result', arguments: { id, offset: Number(offset) } }
    expect(shown + textOf(await gateway.callTool(params))).toBe(text)
  })

  it('keeps a truncated result from other clients', async () => {
    const content = [{ type: 'text', text: 'x'.repeat(3_000) }]
    const { gateway } = start({ mail: { ...mail, answer: () => ({ content }) } })
    const client = { id: 'one', name: 'test' }
    const params = call('call_read_tool', 'mail__read_mail')
    const cut = textOf(await gateway.callTool(params, { client }))
    const [, id, offset] = /id "(.+)" and offset (\d+)/.exec(cut)!
    const read = { name: 'read_result', arguments: { id, offset: Number(offset) } }
    for (const other of [{ id: 'two', name: 'test' }, undefined]) {
      const answer = await gateway.callTool(read, { client: other })
      expect(answer).toMatchObject({ isError: true })
      expect(textOf(answer)).toContain('no longer stored')
    }
    expect(textOf(await gateway.callTool(read, { client }))).toContain('xxx')
  })

  it.each([
    ['alone', []],
    [
      'that is repeated as a text',
      [{ type: 'text', text: JSON.stringify({ rows: 'x'.repeat(3_000) }) }],
    ],
  ])('with long structured content %s returns it as a truncated text', async (_, content) => {
    const structuredContent = { rows: 'x'.repeat(3_000) }
    const answer = () => ({ content, structuredContent })
    const { gateway } = start({ mail: { ...mail, answer } })
    const through = await gateway.callTool(call('call_read_tool', 'mail__read_mail'))
    expect(through.content).toHaveLength(1)
    expect(JSON.stringify(through).length).toBeLessThan(1_500)
    expect(textOf(through)).toContain('read_result')
    const params = { name: 'mail__read_mail', arguments: { subject: 'x' } }
    const direct = await gateway.callTool(params)
    expect(direct.structuredContent).toEqual(structuredContent)
  })

  it('with a long result in many texts stays within the limit, except for one note', async () => {
    const content = Array.from({ length: 500 }, (_, at) => ({ type: 'text', text: `line ${at}` }))
    const image = { type: 'image', data: '', mimeType: 'image/png' }
    const answer = () => ({ content: [...content, image] })
    const { gateway } = start({ mail: { ...mail, answer } })
    const result = await gateway.callTool(call('call_read_tool', 'mail__read_mail'))
    const texts = result.content!.flatMap(({ text }) => (text === undefined ? [] : String(text)))
    const last = texts.pop()!
    const [shown = '', note = ''] = last.split('\n\n[Truncated at ')
    expect(texts.join('').length + shown.length).toBeLessThanOrEqual(1_000)
    expect(texts).toEqual(content.slice(0, texts.length).map(({ text }) => text))
    expect(result.content!.at(-1)).toEqual(image)
    const [, id, offset] = /id "(.+)" and offset (\d+)/.exec(note)!
    const more = await gateway.callTool({
      name: 'read_result',
      arguments: { id, offset: Number(offset) },
    })
    const rest = content.slice(texts.length).map(({ text }) => text)
    expect(rest.join('\n').startsWith(shown + textOf(more).split('\n\n[Truncated at ')[0])).toBe(
      true,
    )
  })

  it.each([{ content: 'text' }, { content: { a: 1 } }, { content: [null] }, { content: [5] }])(
    'reports an invalid result of the server: %j',
    async (result) => {
      const { gateway } = start({ mail: { ...mail, answer: () => result } })
      const answer = await gateway.callTool(call('call_read_tool', 'mail__read_mail'))
      expect(answer.isError).toBe(true)
      expect(textOf(answer)).toBe(
        'mail returned an invalid result: "content" is not a list of blocks.',
      )
    },
  )

  it('with arguments as a JSON text sends the server an object', async () => {
    const { gateway, set } = start({ mail })
    const through = (args: unknown) =>
      gateway.callTool({
        name: 'call_read_tool',
        arguments: { name: 'mail__read_mail', arguments: args },
      })
    await through('{"subject":"hello"}')
    expect(set.calls.map(({ params }) => params.arguments)).toEqual([{ subject: 'hello' }])
    expect(textOf(await through('{"subject":'))).toContain('not valid JSON')
    expect(textOf(await through(`${'['.repeat(9_000)}${']'.repeat(9_000)}`))).toContain('nested')
    expect(set.calls).toHaveLength(1)
  })

  it.each([
    {},
    { name: 7 },
    { name: 'call_read_tool' },
    { name: 'read_result' },
    { name: 'describe_tools' },
  ])('with the params %j returns an error and does not throw', async (params) => {
    expect((await start({ mail }).gateway.callTool(params)).isError).toBe(true)
  })
})

describe('servers that change', () => {
  it('are searched with their current tools', async () => {
    const { set, gateway } = start({ mail })
    set.change('mail', undefined)
    expect(gateway.toolSearch.catalogue.size).toBe(0)
    set.change('mail', { tools: [read] })
    expect(gateway.toolSearch.search('letter').hits).toHaveLength(1)
  })

  it('do not change the list in search mode', () => {
    const { set, gateway } = start({ mail })
    const changed = vi.fn()
    gateway.onListChanged(changed)
    gateway.listTools()
    set.change('mail', { tools: [read] })
    expect(changed).not.toHaveBeenCalled()
  })

  it('with many tools are indexed in the background, or by the next call', async () => {
    const empty = { tools: [] }
    const { set, gateway } = start({ one: empty, two: empty }, { mode: 'passthrough' })
    const changed = vi.fn()
    gateway.onListChanged(changed)
    // never empty
    expect(gateway.listTools().map(({ name }) => name)).toContain('tool_search')
    const many = Array.from({ length: 300 }, (_, at) => ({ ...read, name: `tool_${at}` }))
    set.change('one', { tools: many })
    set.change('two', { tools: many })
    expect(changed).not.toHaveBeenCalled()
    await gateway.callTool({ name: 'two__tool_299', arguments: { subject: 'x' } })
    expect(set.calls).toHaveLength(1)
    expect(changed).toHaveBeenCalled()
    expect(gateway.listTools()).toHaveLength(600)
  })

  it('with many tools appear in the list without a request', async () => {
    const { set, gateway } = start({ one: { tools: [] } }, { mode: 'passthrough' })
    gateway.listTools()
    const many = Array.from({ length: 300 }, (_, at) => ({ ...read, name: `tool_${at}` }))
    const changed = new Promise<void>((resolve) => gateway.onListChanged(resolve))
    set.change('one', { tools: many })
    await changed
    expect(gateway.listTools()).toHaveLength(300)
  })

  it('can be reconfigured while they run', () => {
    const { gateway } = start({ mail })
    const changed = vi.fn()
    gateway.onListChanged(changed)
    gateway.listTools()
    gateway.configure(
      gatewayConfig([serverConfig('mail', { alwaysLoad: true, deny: ['send_mail'] })]),
    )
    expect(names(gateway.listTools()).slice(-2)).toEqual(['mail__read_mail', 'mail__wipe_mailbox'])
    expect(changed).toHaveBeenCalledOnce()
  })

  it('may have tools of the same name', () => {
    const { gateway } = start({ mail, post: mail }, { mode: 'passthrough' })
    expect(names(gateway.listTools())).toContain('mail__read_mail')
    expect(names(gateway.listTools())).toContain('post__read_mail')
  })
})
