import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { ExecuteContext, ToolDefinition } from '../catalogue/tool.ts'
import type { ToolCall } from '../tool-search/tool-call.ts'
import { createToolSearch, type ToolSearchOptions } from '../toolsearch.ts'

const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

async function open(tools: readonly ToolDefinition[], options: ToolSearchOptions = {}) {
  const session = await createToolSearch({ tools, ...options }).session('a')
  await session.turn()
  return session
}

/** A promise that the test settles. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('session.answer and session.run', () => {
  it.each([
    ['undefined', undefined, 'got undefined'],
    ['null', null, 'got null'],
    ['an empty object', {}, '"name" must be a string, got undefined'],
    ['a name', 'read_file', 'got a string'],
    ['a number as name', { name: 7 }, '"name" must be a string, got a number'],
    ['a number as id', { name: 'a', id: 7 }, '"id" must be a string, got a number'],
    ['a text as problems', { name: 'a', problems: 'x' }, '"problems" must be a list of strings'],
  ])('reject %s with an error that shows the expected shape', async (_, call, problem) => {
    const session = await open([{ name: 'a' }])
    for (const wrong of [call, [call]] as ToolCall[]) {
      for (const attempt of [session.answer(wrong), session.run(wrong)]) {
        const error = await attempt.catch((thrown) => thrown)
        expect(error).toMatchObject({ name: 'InvalidCallError', code: 'invalid_call' })
        expect(error.message).toContain(`Not a tool call: ${problem}`)
        expect(error.message).toContain("{ name: 'read_file', arguments: { path: 'notes.txt' } }")
      }
    }
  })

  it('run nothing if one call of a list is malformed', async () => {
    let runs = 0
    const session = await open([{ name: 'a', execute: () => ++runs }])
    const calls = [{ name: 'a' }, {}] as ToolCall[]
    await expect(session.run(calls)).rejects.toMatchObject({ code: 'invalid_call' })
    expect(runs).toBe(0)
  })

  it.each(['', ' ', 'nope', '__proto__'])(
    'answer the name %j, which a model may send',
    async (name) => {
      const session = await open([{ name: 'a' }])
      const unknown = { kind: 'answered', reason: 'unknown-tool', isError: true }
      expect(await session.answer({ name })).toMatchObject(unknown)
      expect(await session.run({ name })).toMatchObject(unknown)
    },
  )

  it('reject a validator that returns something other than a list', async () => {
    const session = await open([{ name: 'a' }], { validate: (async () => []) as never })
    const error = { name: 'InvalidValidatorError', code: 'invalid_validator' }
    await expect(session.answer({ name: 'a' })).rejects.toMatchObject(error)
    await expect(session.run([{ name: 'a' }])).rejects.toMatchObject(error)
  })

  it('return one result for a call and a list for a list', async () => {
    const session = await open([{ name: 'a', execute: () => 'x' }])
    expect(await session.answer({ name: 'a' })).toMatchObject({ kind: 'run' })
    expect(await session.answer([{ name: 'a' }])).toMatchObject([{ kind: 'run' }])
    expect(await session.run({ name: 'a' })).toMatchObject({ kind: 'executed' })
    expect(await session.run([])).toEqual([])
  })
})

describe('session.answer', () => {
  it('returns the outcome of a search as data', async () => {
    const session = await open([{ name: 'git_log' }], { activation: 'always' })
    const result = await session.answer({
      id: '1',
      name: 'tool_search',
      arguments: '{"query":"git_log"}',
    })
    expect(result).toMatchObject({
      kind: 'answered',
      reason: 'search',
      id: '1',
      isError: false,
      text: expect.stringContaining('git_log'),
      outcome: { query: 'git_log', hits: [{ tool: { name: 'git_log' }, status: 'loaded' }] },
    })
  })

  it('checks tool calls against the state before the searches of the same reply', async () => {
    const session = await open([{ name: 'git_log' }], { activation: 'always' })
    const results = await session.answer([
      { name: 'tool_search', arguments: { query: 'git_log' } },
      { name: 'git_log' },
      { name: 'git_log' },
    ])
    expect(results.map((result) => result.kind === 'answered' && result.reason)).toEqual([
      'search',
      'not-loaded',
      'not-loaded',
    ])
    expect(await session.answer({ name: 'git_log' })).toMatchObject({ kind: 'run' })
  })

  it('runs the searches of a reply in order', async () => {
    const session = await open([{ name: 'git_log' }], { activation: 'always' })
    const search = { name: 'tool_search', arguments: { query: 'select:git_log' } }
    const results = await session.answer([search, search])
    const statuses = results.map((result) =>
      result.kind === 'answered' ? result.outcome?.hits.map(({ status }) => status) : [],
    )
    expect(statuses).toEqual([['loaded'], ['already-loaded']])
  })
})

describe('session.run', () => {
  it('executes a tool with its parsed arguments and a context', async () => {
    const seen: unknown[] = []
    const execute = (...args: unknown[]) => {
      seen.push(...args)
      return { sum: 3 }
    }
    const session = await open([{ name: 'add', inputSchema, execute }])
    const result = await session.run({ id: 'call_1', name: 'add', arguments: '{"n":1}' })
    expect(result).toMatchObject({
      kind: 'executed',
      id: 'call_1',
      tool: { name: 'add' },
      arguments: { n: 1 },
      output: { sum: 3 },
      text: '{"sum":3}',
      isError: false,
    })
    expect(seen[0]).toEqual({ n: 1 })
    expect(seen[1]).toMatchObject({ sessionId: 'a', callId: 'call_1' })
    expect((seen[1] as ExecuteContext).signal.aborted).toBe(false)
  })

  it('returns results in the order of the calls, with their ids', async () => {
    const session = await open([
      { name: 'slow', execute: () => settled().then(() => 'slow') },
      { name: 'fast', execute: () => 'fast' },
      { name: 'mine' },
    ])
    const names = ['slow', 'mine', 'fast', 'none']
    const results = await session.run(names.map((name, index) => ({ id: `${index}`, name })))
    expect(results.map(({ kind }) => kind)).toEqual(['executed', 'run', 'executed', 'answered'])
    expect(results.map(({ id }) => id)).toEqual(['0', '1', '2', '3'])
  })

  it('does not execute a call that cannot succeed', async () => {
    let runs = 0
    const session = await open([{ name: 'add', inputSchema, execute: () => ++runs }])
    for (const args of [{}, '{', '[]', { n: 'x' }]) {
      const result = await session.run({ name: 'add', arguments: args })
      expect(result).toMatchObject({ kind: 'answered', reason: 'invalid-arguments' })
    }
    expect(runs).toBe(0)
  })

  it.each([
    ['a string', 'done', 'done'],
    ['an object', { a: [1] }, '{"a":[1]}'],
    ['a number', 0, '0'],
    ['null', null, 'null'],
    ['nothing', undefined, ''],
    ['a promise', Promise.resolve('later'), 'later'],
  ])('turns %s into text', async (_, output, text) => {
    const session = await open([{ name: 'a', execute: () => output }])
    expect(await session.run({ name: 'a' })).toMatchObject({ text, isError: false })
  })

  it('reads an MCP result: text for people, parts with the image, and its error flag', async () => {
    const image = { type: 'image', data: 'A'.repeat(40_000), mimeType: 'image/png' }
    const output = { content: [{ type: 'text', text: 'Not found:' }, image], isError: true }
    const session = await open([{ name: 'a', execute: () => output }])
    expect(await session.run({ name: 'a' })).toMatchObject({
      kind: 'executed',
      output,
      text: 'Not found:\n[image (image/png, 30 kB)]',
      parts: [{ type: 'text', text: 'Not found:' }, image],
      isError: true,
    })
  })

  it.each([
    ['a Map', new Map([['a', 1]])],
    ['a Response', new Response('x')],
    ['a generator', [1].values()],
  ])('says that %s cannot be sent, instead of sending {}', async (_, output) => {
    const session = await open([{ name: 'a', execute: () => output }])
    expect(await session.run({ name: 'a' })).toMatchObject({
      text: expect.stringMatching(/^The tool ran, but its result cannot be written as JSON: /),
      isError: true,
    })
  })

  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  it.each([
    ['a cycle', cycle],
    ['a BigInt', { size: 10n }],
    [
      'an object whose toJSON throws',
      {
        toJSON() {
          throw new Error('no')
        },
      },
    ],
  ])('gives an error result for %s', async (_, output) => {
    const session = await open([{ name: 'a', execute: () => output }])
    const result = await session.run({ name: 'a' })
    expect(result).toMatchObject({ kind: 'executed', output, isError: true })
    expect(result.kind === 'executed' && result.text).toMatch(
      /^The tool ran, but its result cannot be written as JSON: .+$/,
    )
  })

  it.each([
    ['throws an error', () => Promise.reject(new Error('disk full')), 'disk full'],
    ['throws an error without a message', () => Promise.reject(new RangeError()), 'RangeError'],
    ['throws a string', () => Promise.reject('disk full'), 'disk full'],
    ['returns an error', () => new Error('disk full'), 'disk full'],
    [
      'throws at once',
      () => {
        throw new Error('disk full')
      },
      'disk full',
    ],
  ])('gives an error result if a tool %s', async (_, execute, text) => {
    const session = await open([{ name: 'a', execute }])
    expect(await session.run({ name: 'a' })).toMatchObject({
      kind: 'executed',
      text,
      isError: true,
    })
  })

  describe('with several calls', () => {
    const running: string[] = []
    const log: string[] = []
    const gates = new Map<string, ReturnType<typeof gate>>()
    afterEach(() => {
      running.length = 0
      log.length = 0
      gates.clear()
    })

    /** A tool that runs until its gate is opened. */
    function tool(name: string, execution: 'parallel' | 'sequential'): ToolDefinition {
      const own = gate()
      gates.set(name, own)
      return {
        name,
        execution,
        async execute() {
          running.push(name)
          await own.opened
          running.splice(running.indexOf(name), 1)
          log.push(name)
        },
      }
    }

    async function finish(name: string) {
      gates.get(name)!.open()
      await expect.poll(() => log).toContain(name)
      await settled()
    }

    it('runs parallel tools at the same time and a sequential one alone', async () => {
      const tools = [
        tool('a', 'parallel'),
        tool('b', 'parallel'),
        tool('alone', 'sequential'),
        tool('c', 'parallel'),
        tool('d', 'parallel'),
      ]
      const session = await open(tools)
      const results = session.run(tools.map(({ name }) => ({ name })))
      await expect.poll(() => running).toEqual(['a', 'b'])
      await finish('b')
      expect(running).toEqual(['a'])
      await finish('a')
      expect(running).toEqual(['alone'])
      await finish('alone')
      expect(running).toEqual(['c', 'd'])
      await finish('d')
      await finish('c')
      expect((await results).map(({ kind }) => kind)).toEqual(tools.map(() => 'executed'))
    })

    it('starts no further call after it was aborted, and rejects at once', async () => {
      const tools = [tool('a', 'parallel'), tool('alone', 'sequential'), tool('b', 'parallel')]
      const session = await open(tools)
      const controller = new AbortController()
      const results = session.run(
        tools.map(({ name }) => ({ name })),
        { signal: controller.signal },
      )
      await expect.poll(() => running).toEqual(['a'])
      const reason = new Error('the user left')
      controller.abort(reason)
      await expect(results).rejects.toBe(reason)
      await finish('a')
      expect(running).toEqual([])
      expect(log).toEqual(['a'])
    })
  })

  it('runs nothing if the signal is already aborted', async () => {
    let runs = 0
    const session = await open([{ name: 'a', execute: () => ++runs }])
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(session.run([{ name: 'a' }], { signal })).rejects.toThrow('too late')
    expect(runs).toBe(0)
  })

  it('passes the signal to the tools', async () => {
    const signals: AbortSignal[] = []
    const session = await open([{ name: 'a', execute: (_, { signal }) => signals.push(signal) }])
    const { signal } = new AbortController()
    await session.run({ name: 'a' }, { signal })
    expect(signals).toEqual([signal])
  })

  it('leaves no listeners on a signal that is used for many calls', async () => {
    const session = await open([{ name: 'a', execute: () => 'x' }])
    const { signal } = new AbortController()
    for (let count = 0; count < 20; count++) await session.run({ name: 'a' }, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('executes in a fork, with the id of the fork', async () => {
    const session = await open([{ name: 'a', execute: (_, { sessionId }) => sessionId }])
    const fork = await session.fork('b')
    expect(await fork.run({ name: 'a' })).toMatchObject({ text: 'b' })
  })
})

describe('session.execute', () => {
  it('executes a call that answer() returned', async () => {
    const session = await open([{ name: 'add', inputSchema, execute: ({ n }) => `got ${n}` }])
    const answered = await session.answer({ id: '1', name: 'add', arguments: { n: 1 } })
    expect(answered.kind).toBe('run')
    if (answered.kind !== 'run') return
    expect(await session.execute(answered)).toMatchObject({ id: '1', text: 'got 1' })
    expect(await session.execute([answered, answered])).toHaveLength(2)
  })

  it.each([null, {}, { name: 'a' }, { kind: 'answered' }])('rejects %j', async (wrong) => {
    const session = await open([{ name: 'a', execute: () => 'x' }])
    await expect(session.execute(wrong as never)).rejects.toMatchObject({
      code: 'invalid_call',
      message: expect.stringContaining("Pass a result of answer() whose kind is 'run'"),
    })
  })

  it('returns a call to a tool without execute unchanged', async () => {
    const session = await open([{ name: 'a' }])
    const answered = await session.answer({ name: 'a' })
    expect(answered.kind).toBe('run')
    expect(await session.execute(answered as never)).toBe(answered)
  })
})
