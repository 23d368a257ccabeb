import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { type Faults, faultyServer, serverConfig } from './fixtures/servers.fixtures.ts'
import { callText, createHarbour, isAlive, until } from './fixtures/watch.fixtures.ts'

const harbour = createHarbour()
const folder = mkdtempSync(join(tmpdir(), 'upstreams-'))
const faulty = (faults?: Faults, limits = {}) => harbour.open(faultyServer(faults, { limits }))

afterAll(async () => {
  expect(await harbour.clear()).toEqual([])
})

describe('a server that cannot be started', () => {
  it.each<[string, Faults, RegExp]>([
    ['ends', { crashAtStart: true, stderr: 'No licence.' }, /exit code 3.*No licence\./],
    ['never answers', { hangAtStart: true }, /did not answer within 1000 ms/],
  ])('and %s is shown for what it is', async (_, faults, detail) => {
    const upstream = faulty(faults, { connectMs: 1_000 })
    await upstream.connect()
    expect(upstream.status).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(detail),
    })
    const code = 'not-started'
    await expect(callText(upstream, 'echo')).rejects.toMatchObject({ code, server: 'server' })
  })

  it('because the program is missing is told with what to do', async () => {
    const command = '/nowhere/server'
    const upstream = harbour.open(serverConfig({ kind: 'stdio', command, args: [], env: {} }))
    await upstream.connect()
    expect(upstream.status.detail).toMatch(/cannot be started.*ENOENT.*Install it/)
    await expect(callText(upstream, 'echo')).rejects.toMatchObject({ code: 'not-started' })
  })

  it('is told so to a call that had to start it', async () => {
    const upstream = faulty({ crashAtStart: true })
    await expect(callText(upstream, 'echo')).rejects.toMatchObject({
      code: 'not-started',
      message: expect.stringMatching(/exit code 3 while it was starting/),
    })
  })

  it('does not hold up the others', async () => {
    const hanging = faulty({ hangAtStart: true }, { connectMs: 5_000 })
    const good = faulty()
    const connecting = hanging.connect()
    await good.connect()
    expect(await callText(good, 'echo', { message: 'here' })).toBe('here')
    expect(hanging.status.state).toBe('connecting')
    await hanging.close()
    await connecting
  })
})

describe('a server that starts in its own way', () => {
  it.each<[string, Faults]>([
    ['slowly', { slowStartMs: 2_500 }],
    ['silent until it is initialized', { mute: true }],
    ['ending when asked before it is initialized', { strict: true }],
    ['with garbage on stdout', { garbage: true }],
  ])('%s is ready in the end', async (_, faults) => {
    const upstream = faulty(faults)
    await upstream.connect()
    expect(upstream.status).toMatchObject({ state: 'ready', era: 'legacy' })
    expect(upstream.instructions).toBe('Handle with care.')
    expect(await callText(upstream, 'echo', { message: 'here' })).toBe('here')
  })

  it('has its stray lines counted', async () => {
    const upstream = faulty({ garbage: true })
    await upstream.connect()
    expect(upstream.status.strayLines).toBeGreaterThan(3)
  })

  it('has its last words on stderr kept', async () => {
    const stderr = Array.from({ length: 200 }, (_, i) => `line ${i}`).join('\n')
    const upstream = faulty({ stderr })
    await upstream.connect()
    await until(() => upstream.status.lastWords.at(-1) === 'line 199')
    expect(upstream.status.lastWords).toHaveLength(50)
  })

  it('gets few of our variables and those configured', async () => {
    process.env.SECRET_OF_OURS = 'x'
    const config = faultyServer()
    const env = { TOKEN: 'y' }
    const upstream = harbour.open({ ...config, connection: { ...config.connection, env } as never })
    const seen = JSON.parse(await callText(upstream, 'environment'))
    expect(seen).toMatchObject({ PATH: process.env.PATH, TOKEN: 'y' })
    expect(seen).not.toHaveProperty('SECRET_OF_OURS')
  })
})

describe('a call', () => {
  it('is given up in time, also if the server only says that it is there', async () => {
    const upstream = faulty({}, { callMs: 1_000 })
    const code = 'timeout'
    await expect(callText(upstream, 'hang_and_ping')).rejects.toMatchObject({ code })
  })

  it('is answered if the answer has a result beside an error of null', async () => {
    expect(await callText(faulty(), 'both_fields')).toBe('fine')
  })

  it('that is never answered ends at its limit, and the server is told', async () => {
    const upstream = faulty({}, { callMs: 700 })
    await upstream.connect()
    const hanging = callText(upstream, 'hang')
    expect(await callText(upstream, 'echo', { message: 'meanwhile' })).toBe('meanwhile')
    await expect(hanging).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/did not answer tools\/call within \d+ ms/),
    })
    expect(await callText(upstream, 'seen')).toMatch(/notifications\/cancelled.*requestId/)
  })

  it('whose server tells of progress may take longer', async () => {
    const upstream = faulty({}, { callMs: 2_000 })
    await upstream.connect()
    const progress = vi.fn()
    const options = { onProgress: progress }
    expect(await callText(upstream, 'progress', { times: 30 }, options)).toBe('done')
    expect(progress).toHaveBeenCalledTimes(30)
  })

  it('that is answered with endless nesting fails, and the next one does not', async () => {
    const upstream = faulty()
    await expect(callText(upstream, 'deep')).rejects.toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('nested deeper than 100 levels'),
    })
    expect(await callText(upstream, 'deep_ask')).toContain('-32600')
    expect(await callText(upstream, 'echo', { message: 'on' })).toBe('on')
    expect(upstream.status.state).toBe('ready')
  })

  it('that is cancelled ends at once, and the server is told', async () => {
    const upstream = faulty()
    await upstream.connect()
    const controller = new AbortController()
    const hanging = callText(upstream, 'hang', {}, { signal: controller.signal })
    controller.abort()
    await expect(hanging).rejects.toMatchObject({ code: 'cancelled' })
    expect(await callText(upstream, 'seen')).toMatch(/notifications\/cancelled/)
  })

  it('in which the server crashes ends at once, and the server comes back', async () => {
    const upstream = faulty()
    await upstream.connect()
    const { pid } = upstream.status
    await expect(callText(upstream, 'crash')).rejects.toMatchObject({
      code: 'died',
      message: expect.stringMatching(/ended with exit code 1 before it answered/),
    })
    await until(() => upstream.status.state === 'ready')
    expect(upstream.status.pid).not.toBe(pid)
  })

  it('in which the server is killed ends at once, others go on, the next call starts it', async () => {
    const upstream = faulty()
    const other = faulty()
    await Promise.all([upstream.connect(), other.connect()])
    const hanging = callText(upstream, 'hang')
    process.kill(upstream.status.pid!, 'SIGKILL')
    const meanwhile = callText(other, 'echo', { message: 'here' })
    await expect(hanging).rejects.toMatchObject({
      code: 'died',
      message: expect.stringMatching(/SIGKILL/),
    })
    expect(await meanwhile).toBe('here')
    expect(await callText(upstream, 'echo', { message: 'back' })).toBe('back')
  })

  it.each([
    ['read_crash_once', 'says that it only reads'],
    ['put_crash_once', 'says that twice is as once'],
  ])('cut off by a crash is sent again if the tool %s', async (name) => {
    const runs = join(folder, name)
    const upstream = faulty({ runs })
    await upstream.connect()
    expect(await callText(upstream, name)).toBe(`${name} run 2`)
    expect(readFileSync(runs, 'utf8')).toBe('xx')
  })

  it('cut off by a crash is not sent again otherwise', async () => {
    const runs = join(folder, 'crash_once')
    const upstream = faulty({ runs })
    await upstream.connect()
    await expect(callText(upstream, 'crash_once')).rejects.toMatchObject({ code: 'died' })
    await until(() => upstream.status.state === 'ready')
    expect(readFileSync(runs, 'utf8')).toBe('x')
  })

  it('that the server refuses carries its error', async () => {
    const upstream = faulty()
    await expect(callText(upstream, 'refuse')).rejects.toMatchObject({
      code: 'refused',
      answer: { code: -32602, message: 'unknown tool', data: { id: expect.any(Number) } },
    })
  })

  it('gives its result untouched', async () => {
    const upstream = faulty()
    const params = { name: 'echo', arguments: { message: 'a' } }
    expect(await upstream.request('tools/call', params)).toEqual({
      content: [{ type: 'text', text: 'a' }],
      structuredContent: { message: 'a' },
      unknown: { kept: [1, null] },
    })
  })
})

describe('a long result', () => {
  it.each([5, 20])('of %d MB comes whole', async (megabytes) => {
    const upstream = faulty()
    const text = await callText(upstream, 'big', { megabytes })
    expect(text.length).toBe((megabytes * 1024 * 1024) / 2)
    expect(text.endsWith('é')).toBe(true)
  })

  it('past the limit fails alone', async () => {
    const upstream = harbour.open(faultyServer(), { maxMessageBytes: 1024 * 1024 })
    await upstream.connect()
    const { pid } = upstream.status
    const hanging = callText(upstream, 'hang', {}, { timeoutMs: 2_000 })
    await expect(callText(upstream, 'big', { megabytes: 3 })).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/answered tools\/call with 3 MB/),
    })
    expect(await callText(upstream, 'echo', { message: 'on' })).toBe('on')
    expect(upstream.status.pid).toBe(pid)
    await expect(hanging).rejects.toMatchObject({ code: 'timeout' })
  })
})

describe('a list of tools', () => {
  it('of ten thousand is read', async () => {
    const upstream = faulty({ tools: 10_000 })
    await upstream.connect()
    expect(upstream.tools).toHaveLength(10_000)
    expect(await callText(upstream, 'tool_9999')).toBe('tool_9999')
  })

  it('keeps the good ones beside those that cannot be used', async () => {
    const upstream = faulty({ badTools: true })
    await upstream.connect()
    expect(upstream.status.state).toBe('ready')
    expect(upstream.tools.at(-1)!.name).toBe('last')
    expect(upstream.status.refused).toEqual([
      { tool: 'bad_type', reason: expect.stringMatching(/properties\.a\.type/) },
      { tool: 'bad_pattern', reason: expect.stringMatching(/properties\.a\.pattern/) },
      { tool: 'no_schema', reason: 'It has no inputSchema.' },
      { tool: '(no name)', reason: 'It has no name.' },
      { tool: '(no name)', reason: 'It is no object.' },
      { tool: 'echo', reason: 'It is listed twice.' },
      { tool: 'bad_depth', reason: 'It is nested deeper than 100 levels.' },
    ])
  })

  it('keeps all that a tool says of itself', async () => {
    const upstream = faulty()
    await upstream.connect()
    expect(upstream.tools.find((tool) => tool.name === 'everything')).toEqual({
      name: 'everything',
      inputSchema: { type: 'object', properties: {} },
      icons: [{ src: 'a:b' }],
      _meta: { 'x/y': 1 },
      odd: [1],
    })
  })

  it.each<[NonNullable<Faults['pages']>, number, RegExp | undefined]>([
    ['whole', 14, undefined],
    ['cyclic', 8, /goes in circles: page \d leads back to "4"/],
    ['endless', 0, /did not end after 1000 pages/],
    ['missing', 8, /Page 3 of its tools is missing: .*no such page/],
  ])('in %s pages is kept as far as it goes', async (pages, count, detail) => {
    const upstream = faulty({ pages })
    await upstream.connect()
    expect(upstream.tools).toHaveLength(count)
    expect(upstream.status.state).toBe('ready')
    if (detail) expect(upstream.status.detail).toMatch(detail)
    else expect(upstream.status.detail).toBeUndefined()
  })

  it('that changes is read again', async () => {
    const changes: string[] = []
    const upstream = harbour.open(faultyServer(), { onChange: (what) => changes.push(what) })
    await upstream.connect()
    changes.length = 0
    await callText(upstream, 'change')
    await until(() => upstream.tools.at(-1)!.name === 'new_14')
    expect(changes).toEqual(['tools'])
  })
})

describe('the end', () => {
  it('of a server that ignores SIGTERM comes all the same', async () => {
    const upstream = faulty({ ignoreTerm: true })
    await upstream.connect()
    const pid = upstream.status.pid!
    await upstream.close()
    expect(isAlive(pid)).toBe(false)
    await expect(callText(upstream, 'echo')).rejects.toMatchObject({ code: 'closed' })
  })

  it.each(['closed', 'killed'])('takes along what a server that is %s has started', async (how) => {
    const file = join(folder, `grandchild-${how}`)
    const upstream = faulty({ grandchild: file })
    await upstream.connect()
    const grandchild = Number(readFileSync(file, 'utf8'))
    expect(isAlive(grandchild)).toBe(true)
    if (how === 'closed') await upstream.close()
    else process.kill(upstream.status.pid!, 'SIGKILL')
    await until(() => !isAlive(grandchild))
  })
})

describe('what a server asks of us', () => {
  it.each<[string, object]>([
    ['elicitation/create', { action: 'decline' }],
    ['roots/list', { roots: [] }],
    ['ping', {}],
    ['sampling/createMessage', { code: -1, message: 'Sampling is not available.' }],
    ['strange/method', { code: -32601, message: 'Method not found: strange/method' }],
  ])('by %s is answered politely when nobody takes it', async (method, answer) => {
    const upstream = faulty()
    expect(JSON.parse(await callText(upstream, 'ask', { method }))).toEqual(answer)
  })

  it('goes to the one call under way', async () => {
    const upstream = faulty()
    const answer = await callText(
      upstream,
      'ask',
      {},
      {
        onServerRequest: async (method, params) => ({
          action: 'accept',
          content: { method, params },
        }),
      },
    )
    expect(JSON.parse(answer).content).toEqual({
      method: 'elicitation/create',
      params: { message: 'Sure?' },
    })
  })

  it('goes to nobody in particular when several calls are under way', async () => {
    const onServerRequest = async () => ({ action: 'cancel' })
    const upstream = harbour.open(faultyServer(), { onServerRequest })
    await upstream.connect()
    const hanging = callText(upstream, 'hang', {}, { timeoutMs: 1_000 }).catch(() => {})
    const never = () => Promise.reject(new Error('asked'))
    const answer = await callText(upstream, 'ask', {}, { onServerRequest: never })
    expect(JSON.parse(answer)).toEqual({ action: 'cancel' })
    await hanging
  })

  it('and tells of is handed on', async () => {
    const told: unknown[] = []
    const onNotification = (method: string, params: object) => told.push([method, params])
    const onProgress = (params: object) => told.push(params)
    const upstream = harbour.open(faultyServer(), { onNotification })
    await upstream.connect()
    await callText(upstream, 'log', { message: 'one' }, { onProgress })
    const log = ['notifications/message', { level: 'info', data: 'one' }]
    expect(told).toEqual([log, { progress: 1, progressToken: expect.any(Number) }])
  })
})
