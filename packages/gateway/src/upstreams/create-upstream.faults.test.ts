import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Faults, faultyServer, serverConfig } from './fixtures/servers.fixtures.ts'
import { callText, createUpstreams, isAlive, until } from './fixtures/watch.fixtures.ts'
import type { Manifest } from './manifest-cache.ts'

const upstreams = createUpstreams()
const folder = mkdtempSync(join(tmpdir(), 'upstreams-'))
/** Until the end of the test: a server that fails would be started again and again. */
const open: typeof upstreams.open = (...args) => {
  const upstream = upstreams.open(...args)
  onTestFinished(() => upstream.close())
  return upstream
}
const faulty = (faults?: Faults, limits = {}) => open(faultyServer(faults, { limits }))
/** Does nothing wrong by itself. Several tests share it. */
const healthy = upstreams.open(faultyServer())

afterAll(async () => {
  expect(await upstreams.closeAll()).toEqual([])
})

describe('a server that cannot be started', () => {
  it.each<[string, Faults, RegExp, object]>([
    [
      'exits',
      { crashAtStart: true, stderr: 'No licence.' },
      /exited with code 3.*\nRecent log output:\nNo licence\./,
      {},
    ],
    ['never answers', { hangAtStart: true }, /did not answer within 1000 ms/, { connectMs: 1_000 }],
  ])('fails with the reason if it %s', async (_, faults, detail, limits) => {
    const upstream = faulty(faults, limits)
    await upstream.connect()
    expect(upstream.status).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(detail),
    })
    const code = 'not-started'
    await expect(callText(upstream, 'echo')).rejects.toMatchObject({ code, server: 'server' })
  })

  it('quotes several lines of its log, not just the last one', async () => {
    const stderr = 'Error: no licence\n{\n  code: 7\n}\n    at run (index.js:1:1)\n}'
    const upstream = faulty({ crashAtStart: true, stderr })
    await upstream.connect()
    expect(upstream.status.detail).toMatch(/\nRecent log output:\nError: no licence\n {2}code: 7$/)
  })

  it('fails with a fix if its program is missing', async () => {
    const command = '/nowhere/server'
    const upstream = open(serverConfig({ kind: 'stdio', command, args: [], env: {} }))
    await upstream.connect()
    expect(upstream.status.detail).toMatch(/could not be started.*ENOENT.*Install the program/)
    await expect(callText(upstream, 'echo')).rejects.toMatchObject({ code: 'not-started' })
  })

  it('rejects the call that had to start it', async () => {
    const upstream = faulty({ crashAtStart: true })
    await expect(callText(upstream, 'echo')).rejects.toMatchObject({
      code: 'not-started',
      message: expect.stringMatching(/exited with code 3 during startup/),
    })
  })

  it('may take longer for its first connection than for the next ones', async () => {
    const limits = { connectMs: 300, firstConnectMs: 60_000 }
    const manifests: Manifest[] = []
    const config = faultyServer({ slowStartMs: 1_000 }, { limits })
    const first = open(config, { onManifest: (manifest) => manifests.push(manifest) })
    expect(first.status.isPending).toBe(true)
    await first.connect()
    expect(first.status).toMatchObject({ state: 'ready' })
    expect(first.status.isPending).toBeUndefined()
    const known = open(config, { manifest: manifests.at(-1) })
    expect(known.status.isPending).toBeUndefined()
    await known.connect()
    expect(known.status.detail).toMatch(/did not answer within 300 ms/)
  })

  it('does not delay other servers', async () => {
    const hanging = faulty({ hangAtStart: true }, { connectMs: 60_000 })
    const good = faulty()
    const connecting = hanging.connect()
    await good.connect()
    expect(await callText(good, 'echo', { message: 'here' })).toBe('here')
    expect(hanging.status.state).toBe('connecting')
    await hanging.close()
    await connecting
  })
})

describe('a server with an unusual start', () => {
  it.each<[string, Faults]>([
    ['starts slowly', { slowStartMs: 1_000 }],
    ['ignores requests before initialize', { mute: true }],
    ['exits if the first request is not initialize', { strict: true }],
    ['writes garbage to stdout', { garbage: true }],
  ])('becomes ready although it %s', async (_, faults) => {
    const upstream = open(faultyServer(faults), { discoverMs: 500 })
    await upstream.connect()
    expect(upstream.status).toMatchObject({ state: 'ready', era: 'legacy' })
    expect(upstream.instructions).toBe('Handle with care.')
    expect(await callText(upstream, 'echo', { message: 'here' })).toBe('here')
    // Its status has the number of its invalid stdout lines.
    if (faults.garbage) expect(upstream.status.strayLines).toBeGreaterThan(3)
    else expect(upstream.status.strayLines).toBe(0)
  })

  it('has its last 50 stderr lines in its status', async () => {
    const stderr = Array.from({ length: 200 }, (_, i) => `line ${i}`).join('\n')
    const upstream = faulty({ stderr })
    await upstream.connect()
    await until(() => upstream.status.logOutput.at(-1) === 'line 199')
    expect(upstream.status.logOutput).toHaveLength(50)
  })

  it('receives only a few of our environment variables and the configured ones', async () => {
    process.env.SECRET_OF_OURS = 'x'
    const config = faultyServer()
    const env = { TOKEN: 'y' }
    const upstream = open({
      ...config,
      connection: { ...config.connection, env } as never,
    })
    const seen = JSON.parse(await callText(upstream, 'environment'))
    expect(seen).toMatchObject({ PATH: process.env.PATH, TOKEN: 'y' })
    expect(seen).not.toHaveProperty('SECRET_OF_OURS')
  })
})

describe('a call', () => {
  it('times out even if the server keeps sending pings', async () => {
    const upstream = faulty({}, { callMs: 1_000 })
    await upstream.connect()
    const code = 'timeout'
    await expect(callText(upstream, 'hang_and_ping')).rejects.toMatchObject({ code })
  })

  it('succeeds if the response has both a result and a null error', async () => {
    expect(await callText(healthy, 'both_fields')).toBe('fine')
  })

  it('times out if it is never answered, and is cancelled on the server', async () => {
    await healthy.connect()
    const hanging = callText(healthy, 'hang', {}, { timeoutMs: 700 })
    hanging.catch(() => {})
    expect(await callText(healthy, 'echo', { message: 'meanwhile' })).toBe('meanwhile')
    await expect(hanging).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/did not answer tools\/call within \d+ ms/),
    })
    expect(await callText(healthy, 'seen')).toMatch(/notifications\/cancelled.*requestId/)
  })

  it('may exceed its timeout while the server reports progress', async () => {
    const upstream = faulty({}, { callMs: 2_000 })
    await upstream.connect()
    const progress = vi.fn()
    const options = { onProgress: progress }
    expect(await callText(upstream, 'progress', { times: 25, everyMs: 100 }, options)).toBe('done')
    expect(progress).toHaveBeenCalledTimes(25)
  })

  it('fails if its result is nested too deeply, without affecting the next call', async () => {
    await expect(callText(healthy, 'deep')).rejects.toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('nested deeper than 100 levels'),
    })
    expect(await callText(healthy, 'deep_ask')).toContain('-32600')
    expect(await callText(healthy, 'echo', { message: 'on' })).toBe('on')
    expect(healthy.status.state).toBe('ready')
  })

  it('ends at once when it is cancelled, and is cancelled on the server', async () => {
    const upstream = faulty()
    await upstream.connect()
    const controller = new AbortController()
    const hanging = callText(upstream, 'hang', {}, { signal: controller.signal })
    controller.abort()
    await expect(hanging).rejects.toMatchObject({ code: 'cancelled' })
    expect(await callText(upstream, 'seen')).toMatch(/notifications\/cancelled/)
  })

  it('fails at once when the server crashes, and the server is restarted', async () => {
    const upstream = faulty()
    await upstream.connect()
    const { pid } = upstream.status
    await expect(callText(upstream, 'crash')).rejects.toMatchObject({
      code: 'died',
      message: expect.stringMatching(/exited with code 1 before it answered/),
    })
    await until(() => upstream.status.state === 'ready')
    expect(upstream.status.pid).not.toBe(pid)
  })

  it('fails at once when the server is killed; other servers continue and the next call restarts it', async () => {
    const upstream = faulty()
    await Promise.all([upstream.connect(), healthy.connect()])
    const hanging = callText(upstream, 'hang')
    process.kill(upstream.status.pid!, 'SIGKILL')
    const meanwhile = callText(healthy, 'echo', { message: 'here' })
    await expect(hanging).rejects.toMatchObject({
      code: 'died',
      message: expect.stringMatching(/SIGKILL/),
    })
    expect(await meanwhile).toBe('here')
    expect(await callText(upstream, 'echo', { message: 'back' })).toBe('back')
  })

  it.each([
    ['read-only', 'read_crash_once'],
    ['idempotent', 'put_crash_once'],
  ])('is repeated after a crash if the tool is %s', async (_, name) => {
    const runs = join(folder, name)
    const upstream = faulty({ runs })
    await upstream.connect()
    expect(await callText(upstream, name)).toBe(`${name} run 2`)
    expect(readFileSync(runs, 'utf8')).toBe('xx')
  })

  it('is not repeated after a crash if the tool is neither read-only nor idempotent', async () => {
    const runs = join(folder, 'crash_once')
    const upstream = faulty({ runs })
    await upstream.connect()
    await expect(callText(upstream, 'crash_once')).rejects.toMatchObject({ code: 'died' })
    await until(() => upstream.status.state === 'ready')
    expect(readFileSync(runs, 'utf8')).toBe('x')
  })

  it('rejects with the error that the server returned', async () => {
    await expect(callText(healthy, 'refuse')).rejects.toMatchObject({
      code: 'refused',
      answer: { code: -32602, message: 'unknown tool', data: { id: expect.any(Number) } },
    })
  })

  it('returns its result unchanged', async () => {
    const params = { name: 'echo', arguments: { message: 'a' } }
    expect(await healthy.request('tools/call', params)).toEqual({
      content: [{ type: 'text', text: 'a' }],
      structuredContent: { message: 'a' },
      unknown: { kept: [1, null] },
    })
  })
})

describe('a large result', () => {
  it('of 15 MB arrives complete', async () => {
    const megabytes = 15
    const text = await callText(healthy, 'big', { megabytes })
    expect(text.length).toBe(megabytes * 2 ** 19)
    expect(text.endsWith('é')).toBe(true)
  })

  it('above the limit fails without affecting other calls', async () => {
    const upstream = faulty({}, { messageBytes: 1024 * 1024 })
    await upstream.connect()
    const { pid } = upstream.status
    expect(upstream.status).toMatchObject({ state: 'ready', pid: expect.any(Number) })
    const leaving = new AbortController()
    const hanging = callText(upstream, 'hang', {}, { timeoutMs: 60_000, signal: leaving.signal })
    await expect(callText(upstream, 'big', { megabytes: 3 })).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(/answered tools\/call with 3 MB/),
    })
    expect(await callText(upstream, 'echo', { message: 'on' })).toBe('on')
    expect(upstream.status.pid).toBe(pid)
    leaving.abort()
    await expect(hanging).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('the list of tools', () => {
  it('may contain thousands of tools', async () => {
    const upstream = faulty({ tools: 2_000 })
    await upstream.connect()
    expect(upstream.tools).toHaveLength(2_000)
    expect(await callText(upstream, 'tool_1999')).toBe('tool_1999')
  })

  it('leaves out invalid tools and reports why', async () => {
    const upstream = faulty({ badTools: true })
    await upstream.connect()
    expect(upstream.status.state).toBe('ready')
    const names = upstream.tools.map(({ name }) => name)
    // Tools with invalid schemas work. The catalogue reports them.
    expect(names).toEqual(expect.arrayContaining(['bad_type', 'bad_pattern']))
    expect(names.at(-1)).toBe('last')
    expect(upstream.status.refused).toEqual([
      { tool: 'no_schema', reason: 'It has no inputSchema.' },
      { tool: '(no name)', reason: 'It has no name.' },
      { tool: '(no name)', reason: 'It is not an object.' },
      { tool: 'echo', reason: 'It is listed more than once.' },
      { tool: 'bad_depth', reason: 'It is nested deeper than 100 levels.' },
    ])
  })

  it('keeps every field of a tool', async () => {
    await healthy.connect()
    expect(healthy.tools.find((tool) => tool.name === 'everything')).toEqual({
      name: 'everything',
      inputSchema: { type: 'object', properties: {} },
      icons: [{ src: 'a:b' }],
      _meta: { 'x/y': 1 },
      odd: [1],
    })
  })

  it.each<[NonNullable<Faults['pages']>, number, unknown]>([
    ['complete', 14, undefined],
    ['cyclic', 8, expect.stringMatching(/is circular: page \d leads back to cursor "4"/)],
    ['endless', 0, expect.stringMatching(/has more than 1000 pages/)],
    ['missing', 8, expect.stringMatching(/Page 3 of tools could not be read: .*no such page/)],
  ])('contains every tool that could be read if its pages are %s', async (pages, count, detail) => {
    const upstream = faulty({ pages })
    await upstream.connect()
    expect(upstream.tools).toHaveLength(count)
    expect(upstream.status.state).toBe('ready')
    expect(upstream.status.detail).toEqual(detail)
  })

  it('is read again when it changes', async () => {
    const changes: string[] = []
    const upstream = open(faultyServer(), { onChange: (what) => changes.push(what) })
    await upstream.connect()
    changes.length = 0
    await callText(upstream, 'change')
    await until(() => upstream.tools.at(-1)!.name === 'new_14')
    expect(changes).toEqual(['tools'])
  })
})

describe('closing', () => {
  it('ends a server that ignores SIGTERM', async () => {
    const upstream = faulty({ ignoreTerm: true })
    await upstream.connect()
    const pid = upstream.status.pid!
    await upstream.close()
    expect(isAlive(pid)).toBe(false)
    await expect(callText(upstream, 'echo')).rejects.toMatchObject({ code: 'closed' })
  })

  it.each(['closed', 'killed'])('ends the processes that a %s server has started', async (how) => {
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

describe('a request from the server', () => {
  it.each<[string, object]>([
    ['elicitation/create', { action: 'decline' }],
    ['roots/list', { roots: [] }],
    ['ping', {}],
    ['sampling/createMessage', { code: -1, message: 'Sampling is not available.' }],
    ['strange/method', { code: -32601, message: 'Method not found: strange/method' }],
  ])('for %s has a default answer', async (method, answer) => {
    expect(JSON.parse(await callText(healthy, 'ask', { method }))).toEqual(answer)
  })

  it('goes to the handler of the call if only one is in flight', async () => {
    const answer = await callText(
      healthy,
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

  it('goes to the handler of the upstream if several calls are in flight', async () => {
    const onServerRequest = async () => ({ action: 'cancel' })
    const upstream = open(faultyServer(), { onServerRequest })
    await upstream.connect()
    const controller = new AbortController()
    const { signal } = controller
    const hanging = callText(upstream, 'hang', {}, { signal }).catch(() => {})
    const never = () => Promise.reject(new Error('asked'))
    const answer = await callText(upstream, 'ask', {}, { onServerRequest: never })
    expect(JSON.parse(answer)).toEqual({ action: 'cancel' })
    controller.abort()
    await hanging
  })
})

describe('a notification from the server', () => {
  it('reaches the handler of the upstream, or of the call if it reports progress', async () => {
    const received: unknown[] = []
    const onNotification = (method: string, params: object) => received.push([method, params])
    const onProgress = (params: object) => received.push(params)
    const upstream = open(faultyServer(), { onNotification })
    await upstream.connect()
    await callText(upstream, 'log', { message: 'one' }, { onProgress })
    const log = ['notifications/message', { level: 'info', data: 'one' }]
    expect(received).toEqual([log, { progress: 1, progressToken: expect.any(Number) }])
  })
})
