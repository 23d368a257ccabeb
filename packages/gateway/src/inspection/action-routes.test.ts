import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type {
  ActivityReport,
  ApiError,
  ExampleList,
  LiveEvent,
  SampleSession,
  ServerReport,
  ToolCallReport,
  ToolList,
  ToolReport,
} from './api.ts'
import { closeAll, open, tool } from './inspection.fixtures.ts'

afterEach(closeAll)

const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })
const ada = { client: { id: 'a', name: 'Ada' } }

describe('POST /api/tools/NAME/call', () => {
  it('calls a read-only tool and records it as a call of the inspector', async () => {
    const { ask, servers } = await open()
    const path = '/api/tools/mail__read_mail/call'
    const { status, data } = await ask<ToolCallReport>(path, post({ arguments: { to: 'Ada' } }))
    expect(status).toBe(200)
    expect(data).toMatchObject({
      tool: 'mail__read_mail',
      result: { content: [{ type: 'text', text: 'done' }] },
    })
    expect(data.tokens).toBeGreaterThan(0)
    expect(servers.calls).toMatchObject([
      { params: { name: 'read_mail', arguments: { to: 'Ada' } } },
    ])
    await setImmediate()
    const { events, sessions } = (await ask<ActivityReport>('/api/activity')).data
    expect(events).toMatchObject([{ client: 'inspector', tool: 'mail__read_mail', server: 'mail' }])
    expect(sessions).toMatchObject([{ client: 'inspector', calls: 1 }])
  })

  it.each([
    ['mail__send_mail', 'write'],
    ['mail__burn', 'destructive'],
  ])('needs a confirmation for %s', async (name, effect) => {
    const tools = [
      tool('send_mail', 'Sends a letter', { destructiveHint: false }),
      tool('burn', 'Burns all letters'),
    ]
    const { ask, servers } = await open({ mail: { tools } })
    const path = `/api/tools/${name}/call`
    const refused = await ask<ApiError>(path, post({ arguments: {} }))
    expect(refused).toMatchObject({ status: 409, data: { effect } })
    expect(refused.data.error).toContain('"confirm": true')
    // Only true confirms.
    expect(await ask(path, post({ arguments: {}, confirm: 'yes' }))).toMatchObject({ status: 409 })
    expect(servers.calls).toEqual([])
    expect(await ask(path, post({ arguments: {}, confirm: true }))).toMatchObject({ status: 200 })
    expect(servers.calls).toHaveLength(1)
  })

  it('returns the result of a call that fails', async () => {
    const failing = () => ({ isError: true, content: [{ type: 'text', text: 'No such folder.' }] })
    const tools = [tool('read_mail', 'Reads letters', { readOnlyHint: true })]
    const { ask } = await open({ mail: { tools, answer: failing } })
    const { status, data } = await ask<ToolCallReport>('/api/tools/mail__read_mail/call', post({}))
    expect(status).toBe(200)
    expect(data.result).toMatchObject({ isError: true, content: [{ text: 'No such folder.' }] })
  })

  it('rejects unknown tools, meta tools, bodies without an object, and bodies that are too long', async () => {
    const { ask } = await open()
    expect((await ask('/api/tools/none/call', post({}))).status).toBe(404)
    expect((await ask('/api/tools/tool_search/call', post({}))).status).toBe(404)
    const path = '/api/tools/mail__read_mail/call'
    expect((await ask(path, post([]))).status).toBe(400)
    expect((await ask(path, post({ arguments: 'x' }))).status).toBe(400)
    expect((await ask(path, { method: 'POST', body: '{' })).status).toBe(400)
    expect((await ask(path, post({ arguments: { to: 'x'.repeat(1_000_001) } }))).status).toBe(413)
  })

  it.each([
    '/api/tools/mail__read_mail/call',
    '/api/config',
    '/api/config/undo',
    '/api/servers/mail/restart',
  ])('rejects %s from other sites, and without the token', async (path) => {
    const { ask, servers } = await open(undefined, { token: 'abc' })
    const headers = { authorization: 'Bearer abc', origin: 'http://127.0.0.1:1' }
    expect(await ask(path, { ...post({}), headers })).toMatchObject({ status: 403 })
    expect(await ask(path, post({}))).toMatchObject({ status: 401 })
    expect(servers.calls).toEqual([])
  })
})

describe('calls in progress', () => {
  /** A server that answers when the test says so. */
  async function openSlow() {
    let finish = () => {}
    const answered = new Promise<void>((resolve) => {
      finish = resolve
    })
    const answer = async () => {
      await answered
      return { content: [{ type: 'text', text: 'done' }] }
    }
    const tools = [tool('read_mail', 'Reads letters', { readOnlyHint: true })]
    return { ...(await open({ mail: { tools, answer } })), finish: () => finish() }
  }

  it('are in the report until they end', async () => {
    const { ask, gateway, finish } = await openSlow()
    const inner = { name: 'mail__read_mail', arguments: { to: 'secret' } }
    const calling = gateway.callTool({ name: 'call_read_tool', arguments: inner }, ada)
    const { data } = await ask<ActivityReport>('/api/activity')
    expect(data.running).toMatchObject([
      { kind: 'call', tool: 'mail__read_mail', server: 'mail', client: 'Ada', session: 'a' },
    ])
    expect(data.running[0]!.milliseconds).toBeGreaterThanOrEqual(0)
    expect(JSON.stringify(data)).not.toContain('secret')
    finish()
    await calling
    expect((await ask<ActivityReport>('/api/activity')).data.running).toEqual([])
  })

  it('are announced to open pages when they start and end', async () => {
    const { origin, gateway, finish } = await openSlow()
    const stop = new AbortController()
    const response = await fetch(`${origin}/api/events`, { signal: stop.signal })
    const calling = gateway.callTool({ name: 'mail__read_mail', arguments: {} }, ada)
    const lists: string[][] = []
    let text = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const messages = text.split('\n\n')
      text = messages.pop()!
      for (const message of messages.filter((each) => each.startsWith('data: '))) {
        const event = JSON.parse(message.slice(6)) as LiveEvent
        if (event.kind === 'running') lists.push(event.calls.map((call) => call.tool))
      }
      if (lists.at(-1)?.length === 1) finish()
      if (lists.length >= 2 && lists.at(-1)?.length === 0) break
    }
    stop.abort()
    await calling
    expect(lists.filter((names) => names.length > 0)).not.toEqual([])
    expect(lists.at(-1)).toEqual([])
  })
})

describe('POST /api/servers/NAME/restart', () => {
  it('restarts a server and reports its state', async () => {
    const restarted: string[] = []
    const { ask } = await open(undefined, {
      restartServer: async (name) => restarted.push(name) > 0,
    })
    const { status, data } = await ask<ServerReport>('/api/servers/mail/restart', post({}))
    expect(status).toBe(200)
    expect(data).toMatchObject({ name: 'mail', state: 'ready' })
    expect(restarted).toEqual(['mail'])
  })

  it('rejects unknown servers', async () => {
    const { ask } = await open()
    const { status, data } = await ask<ApiError>('/api/servers/none/restart', post({}))
    expect(status).toBe(404)
    expect(data.error).toContain('mail, broken')
  })
})

describe('POST /api/servers/NAME/sign-in', () => {
  it('returns the URL to open, or the reason why there is none', async () => {
    const { ask } = await open(undefined, {
      startSignIn: async (name) => {
        if (name === 'broken') throw new Error('broken does not require a sign-in.')
        return 'https://example.org/authorize'
      },
    })
    expect(await ask('/api/servers/mail/sign-in', post({}))).toEqual({
      status: 200,
      data: { url: 'https://example.org/authorize' },
    })
    expect(await ask('/api/servers/broken/sign-in', post({}))).toEqual({
      status: 409,
      data: { error: 'broken does not require a sign-in.' },
    })
    expect((await ask('/api/servers/none/sign-in', post({}))).status).toBe(404)
  })
})

describe('POST /api/config', () => {
  it('refuses to edit the configuration of a gateway without a file', async () => {
    const { ask } = await open()
    const edit = { action: 'deny', server: 'mail', tool: 'send_mail' }
    const { status, data } = await ask<ApiError>('/api/config', post(edit))
    expect(status).toBe(409)
    expect(data.error).toContain('not opened from a configuration file')
    expect((await ask('/api/config/changes')).status).toBe(409)
  })

  it.each([
    [{}, '"server"'],
    [{ server: 'mail' }, '"action" must be one of'],
    [{ server: 'mail', action: 'delete' }, '"action" must be one of'],
    [{ server: 'mail', action: 'deny' }, '"tool"'],
    [{ server: 'mail', action: 'hint', tool: 'send_mail' }, '"value"'],
    [{ server: 'mail', action: 'override', tool: 'send_mail', value: 'x' }, '"value"'],
  ])('rejects %j', async (edit, message) => {
    const { ask } = await open()
    const { status, data } = await ask<ApiError>('/api/config', post(edit))
    expect(status).toBe(400)
    expect(data.error).toContain(message)
  })
})

describe('GET /api/tools', () => {
  it('lists the tools that the configuration hides', async () => {
    const { ask, gateway } = await open()
    const { servers } = gateway.config
    const hiding = servers.map((server) => ({ ...server, deny: ['send_mail'] }))
    gateway.configure({ ...gateway.config, servers: hiding })
    const { data } = await ask<ToolList>('/api/tools')
    expect(data.tools.map(({ name }) => name)).toEqual(['mail__list_folders', 'mail__read_mail'])
    expect(data.hidden).toEqual([
      {
        server: 'mail',
        tool: 'send_mail',
        summary: 'Sends a letter to somebody.',
        effect: 'write',
        hiddenBy: 'toolsearch.deny[0] of server "mail"',
      },
    ])
  })

  it('says what the configuration says about a tool', async () => {
    const { ask } = await open(undefined, { config: { pins: ['mail/send_mail'] } })
    const { data } = await ask<ToolReport>('/api/tools/mail__send_mail')
    expect(data.settings).toEqual({ isPinned: true })
  })
})

describe('a tool that waits for a decision', () => {
  const before = tool('send_mail', 'Sends a letter', { destructiveHint: false })
  const after = tool('send_mail', 'Sends a letter, and a copy to us', { destructiveHint: false })

  it('says that it is withheld and why, with both definitions', async () => {
    const { ask, servers, approvals } = await open(
      { mail: { tools: [before] } },
      { config: { approve: 'changed' } },
    )
    await ask('/api/tools')
    await approvals.saved()
    servers.change('mail', { tools: [after] })
    await approvals.saved()
    const { data } = await ask<ToolReport>('/api/tools/mail__send_mail')
    expect(data).toMatchObject({
      withheld: { reason: 'changed', message: expect.stringContaining('until you accept it') },
      approved: { description: 'Sends a letter' },
      definition: { description: 'Sends a letter, and a copy to us' },
      access: { shown: 'withheld' },
    })
    const list = await ask<ToolList>('/api/tools')
    expect(list.data.tools).toMatchObject([{ name: 'mail__send_mail', withheld: 'changed' }])
  })

  it('can be blocked, accepted and undone', async () => {
    const { ask, gateway } = await open({ mail: { tools: [before] } })
    const decide = async (what: string) =>
      ask<ToolReport>(`/api/tools/mail__send_mail/${what}`, { method: 'POST' })
    const blocked = await decide('block')
    expect(blocked.data).toMatchObject({
      withheld: { reason: 'blocked', message: expect.stringContaining('You blocked this tool.') },
    })
    expect(gateway.toolSearch.catalogue.has('mail__send_mail')).toBe(false)
    const result = await gateway.callTool({ name: 'mail__send_mail', arguments: {} })
    expect(result.isError).toBe(true)
    expect((await decide('undo')).data).not.toHaveProperty('withheld')
    expect(gateway.toolSearch.catalogue.has('mail__send_mail')).toBe(true)
    await decide('block')
    expect((await decide('accept')).data).not.toHaveProperty('withheld')
    expect((await ask('/api/tools/none/block', { method: 'POST' })).status).toBe(404)
    expect((await ask('/api/tools/none/undo', { method: 'POST' })).status).toBe(404)
  })

  it('rejects a decision about a definition that has changed since', async () => {
    const { ask, servers } = await open({ mail: { tools: [before] } })
    const { data } = await ask<ToolReport>('/api/tools/mail__send_mail')
    servers.change('mail', { tools: [after] })
    const path = `/api/tools/mail__send_mail/block?fingerprint=${data.fingerprint}`
    expect(await ask(path, { method: 'POST' })).toMatchObject({ status: 409 })
  })

  it('waits if it is new and new tools wait', async () => {
    const { ask } = await open({ mail: { tools: [before] } }, { config: { approve: 'new' } })
    const { data } = await ask<ToolReport>('/api/tools/mail__send_mail')
    expect(data.withheld).toMatchObject({ reason: 'new' })
    const undone = await ask('/api/tools/mail__send_mail/undo', { method: 'POST' })
    expect(undone.status).toBe(409)
  })
})

describe('GET /api/sample', () => {
  it('makes up a session with the real tools, without recording it', async () => {
    const { ask } = await open()
    const { data } = await ask<SampleSession>('/api/sample')
    expect(data.isSample).toBe(true)
    const known = (await ask<ToolList>('/api/tools')).data.tools.map(({ name }) => name)
    const calls = data.activity.events.filter((event) => event.kind === 'call')
    expect(calls.every(({ tool }) => known.includes(tool))).toBe(true)
    expect(calls.some(({ failure }) => failure !== undefined)).toBe(true)
    expect(data.misses.searches).toMatchObject([{ times: 2, kind: 'nothing-found' }])
    expect(data.timeline.totals).toMatchObject({ searches: 5, calls: 5, errors: 1 })
    expect(data.history.total).toBe(10)
    expect(data.activity.running).toHaveLength(1)
    expect((await ask<ActivityReport>('/api/activity')).data.events).toEqual([])
    expect((await ask('/api/history')).data).toMatchObject({ total: 0 })
  })

  it('is empty without tools', async () => {
    const { ask } = await open({})
    expect((await ask<SampleSession>('/api/sample')).data.activity.events).toEqual([])
  })
})

describe('GET /api/examples', () => {
  it('suggests queries that find the tool they are about', async () => {
    const { ask, gateway } = await open()
    const { examples } = (await ask<ExampleList>('/api/examples')).data
    expect(examples).toContainEqual({
      query: 'read the letters of a folder',
      tool: 'mail__read_mail',
    })
    for (const { query, tool } of examples) {
      expect(gateway.toolSearch.search(query).hits[0]?.tool.name).toBe(tool)
    }
  })

  it('suggests nothing that ranks the wrong tool first', async () => {
    const { ask, gateway } = await open({
      memory: { tools: [tool('open_nodes', 'Open specific nodes in the knowledge graph by name')] },
      tracker: { tools: [tool('create_ticket', 'Report a bug or request: creates a ticket')] },
      echo: { tools: [tool('echo', 'Echoes back the input')] },
    })
    expect(gateway.toolSearch.search('open a bug').hits[0]?.tool.name).toBe('memory__open_nodes')
    const { examples } = (await ask<ExampleList>('/api/examples')).data
    expect(examples.map((example) => example.tool)).toContain('tracker__create_ticket')
    expect(examples).toContainEqual({ query: 'echo back the input', tool: 'echo__echo' })
    for (const { query, tool } of examples) {
      expect(gateway.toolSearch.search(query).hits[0]?.tool.name).toBe(tool)
    }
  })
})
