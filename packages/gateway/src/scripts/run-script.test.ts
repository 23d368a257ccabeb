import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCancellation } from '../protocol/cancellation.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { type RunScriptOptions, runScript, type ScriptRun } from './run-script.ts'
import { createScriptThreads } from './script-threads.ts'
import { writeRun } from './write-run.ts'

const threads = createScriptThreads()
afterAll(threads.close)

// Generous: a busy machine must not turn a result into a timeout.
const BOUNDS = {
  timeoutMs: 60_000,
  cpuMs: 20_000,
  memoryMb: 32,
  calls: 50,
  parallelCalls: 4,
  chars: 10_000,
  outputChars: 100_000,
}

type Given = Partial<Omit<RunScriptOptions, 'bounds'>> & {
  readonly bounds?: Partial<RunScriptOptions['bounds']>
}

/** Runs a script whose tools return their arguments. */
function run(source: string, { bounds, ...options }: Given = {}): Promise<ScriptRun> {
  const call = async (name: string, args: JsonObject) => ({ data: { name, args } })
  return runScript(threads, { source, call, ...options, bounds: { ...BOUNDS, ...bounds } })
}

/** What a script returned. */
async function result(source: string, options?: Given): Promise<unknown> {
  const { end } = await run(source, options)
  if (end.kind === 'failed') throw new Error(end.error.message)
  return end.text === undefined ? undefined : JSON.parse(end.text)
}

async function problem(source: string, options?: Given) {
  const { end } = await run(source, options)
  if (end.kind !== 'failed') throw new Error(`The script returned ${end.text}.`)
  return end.error
}

describe('runScript', () => {
  it('runs TypeScript with calls, and returns data', async () => {
    const source = `
      interface Found { name: string; args: { n: number } }
      const found: Found[] = []
      for (const n of [1, 2]) found.push(await tools.git__log({ n }) as Found)
      return found.map(({ name, args }) => name + args!.n satisfies string)`
    expect(await result(source)).toEqual(['git__log1', 'git__log2'])
  })

  it('logs values as JSON, and returns what JSON would lose', async () => {
    const source = `
      console.log('found', { a: [1] }, undefined)
      console.error(new Error('no'))
      return { set: new Set([1]), map: new Map([['a', 2n]]), at: new Date(0) }`
    const { end, log } = await run(source)
    expect(log).toBe('found {"a":[1]} undefined\n{"name":"Error","message":"no"}\n')
    const text = '{"set":[1],"map":{"a":"2"},"at":"1970-01-01T00:00:00.000Z"}'
    expect(end).toEqual({ kind: 'returned', text, unawaited: [] })
  })

  it('lets a script catch the problem of a call', async () => {
    const call = async () => ({ problem: { message: 'no such issue', retryAfterMs: 5 } })
    const source = `
      try { await tools.a({}) } catch (error) {
        return [error instanceof Error, error.name, error.message, error.tool, error.retryAfterMs]
      }`
    expect(await result(source, { call })).toEqual([true, 'ToolError', 'no such issue', 'a', 5])
  })

  it('tells the real name of a tool', async () => {
    const call = async () => ({ problem: { message: 'no' } })
    const toolName = (written: string) => written.replaceAll('_', '-')
    const source =
      'try { await tools.a_b() } catch (error) { console.log(error.tool) }\nawait tools.a_b()'
    const { log, calls } = await run(source, { call, toolName })
    expect([log, calls.map(({ tool }) => tool)]).toEqual(['a-b\n', ['a-b', 'a-b']])
  })

  it('finds tools by server and name, too', async () => {
    const source = `
      const { read } = tools.files
      const found = [await tools.git.log({}), await read({}), await tools.git.log.call(null, { n: 1 })]
      return found.map(({ name }) => name)`
    expect(await result(source)).toEqual(['git__log', 'files__read', 'git__log'])
  })

  it('gives calls ordinary promises', async () => {
    const source = `
      const promise = tools.a({})
      return [promise instanceof Promise, await promise.then(({ name }) => name), typeof promise.catch, JSON.stringify({ promise })]`
    expect(await result(source)).toEqual([true, 'a', 'function', '{"promise":{}}'])
  })

  it('says if there is nothing to read', async () => {
    const textOf = async (source: string) => writeRun(await run(source), source)
    expect(await textOf('return ""')).toBe('The script returned an empty string.')
    expect(await textOf('async function main() { return 1 }')).toContain('call it: `return main()`')
    expect(await textOf('const a = await tools.a({})')).toContain('To see something, return it')
  })

  it('runs calls at the same time, up to the limit', async () => {
    let [running, most] = [0, 0]
    let release = () => {}
    const isFull = new Promise<void>((resolve) => {
      release = resolve
    })
    const call = async () => {
      running += 1
      most = Math.max(most, running)
      if (running === BOUNDS.parallelCalls) release()
      await isFull
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return { data: null }
    }
    const source = 'return (await Promise.all(Array.from({ length: 20 }, () => tools.a()))).length'
    expect(await result(source, { call })).toBe(20)
    expect(most).toBe(BOUNDS.parallelCalls)
  })

  it('finishes calls that nobody waits for, and names them', async () => {
    const { end, calls } = await run('tools.a({}); tools.b({}); return 1')
    expect(end).toEqual({ kind: 'returned', text: '1', unawaited: ['a', 'b'] })
    expect(calls.map(({ state }) => state)).toEqual(['ok', 'ok'])
  })

  describe('reports calls that failed and were never awaited', () => {
    const call = async (name: string) =>
      name === 'ok' ? { data: 1 } : { problem: { message: `${name} failed` } }
    it.each([
      ['before the script ends', 'tools.a({})\nawait tools.ok({})\nreturn 1', 'a', 1],
      ['after the script ends', 'const p = 1\ntools.a({})\nreturn 1', 'a', 2],
      [
        'of functions that are still running',
        '[1].forEach(async () => {\n await tools.a({})\n})\nreturn 1',
        'a',
        2,
      ],
      ['in a variable', 'const p = tools.a({})\nawait tools.ok({})\nreturn [1].length', 'a', 1],
    ])('%s', async (_, source, tool, line) => {
      const ended = await run(source, { call })
      expect(ended.end).toMatchObject({
        kind: 'returned',
        text: '1',
        lost: [{ message: `ToolError: ${tool} failed`, line }],
      })
      const text = writeRun(ended, source)
      expect(text).toContain(
        `1 call failed that the script does not await:\nToolError: ${tool} failed\nat line ${line}`,
      )
    })

    it.each([
      'try { await tools.a({}) } catch {}\nreturn 1',
      'await tools.a({}).catch(() => {})\nreturn 1',
      'await tools.a({}).then(() => 1, () => 2)\nreturn 1',
      'await Promise.allSettled([tools.a({}), tools.b({})])\nreturn 1',
      'await Promise.all([tools.ok({}), tools.a({})]).catch(() => {})\nreturn 1',
      'await Promise.any([tools.a({}), tools.ok({})])\nreturn 1',
      'const p = tools.a({})\nawait tools.ok({})\ntry { await p } catch {}\nreturn 1',
      'const f = async () => tools.a({})\ntry { await f() } catch {}\nreturn 1',
      'const f = async () => { return await tools.a({}) }\nawait f().finally(() => {}).catch(() => {})\nreturn 1',
      'async function* g() { yield tools.a({}) }\ntry { for await (const x of g()) {} } catch {}\nreturn 1',
    ])('and no others: %s', async (source) => {
      const { end } = await run(source, { call })
      expect(end).toEqual({ kind: 'returned', text: '1', unawaited: [] })
    })

    it('but not all of many', async () => {
      const source = 'for (let n = 0; n < 9; n++) tools.a({ n })\nreturn 1'
      const text = writeRun(await run(source, { call }), source)
      expect(text).toContain('9 calls failed')
      expect(text.match(/a failed/g)).toHaveLength(3)
      expect(text).toContain('… and 6 more')
    })
  })

  describe('ends with its last expression', () => {
    const main = 'async function main() {\n  const r = await tools.a({})\n  r.x.y\n}\n'
    it.each([
      ['a function', `${main}main()`],
      ['a function, and a comment', `${main}main(); // start`],
      ['a function that is returned', `${main}return main()`],
      ['an expression', '(async () => {\n  const r: any = await tools.a({})\n  r.x.y\n})()'],
    ])('%s, whose error is not lost', async (_, source) => {
      const { message, line } = await problem(source)
      expect([message, line]).toEqual(["TypeError: cannot read property 'y' of undefined", 3])
    })

    it('and calls it if it is a function', async () => {
      expect(
        await result('async () => {\n  const { name } = await tools.a({})\n  return [name]\n}'),
      ).toEqual(['a'])
      expect(await result('async ({ a }) => [(await a({})).name]')).toEqual(['a'])
    })

    it('and returns its value if it is a promise', async () => {
      expect(await result('const main = async () => [await tools.a({})].length\nmain()')).toBe(1)
      expect(await result('1 + 1')).toBeUndefined()
      expect(await result('const tools = { a: async () => 5 }\ntools.a()')).toBe(5)
    })
  })

  it.each([
    ['await main()', 5],
    ['await main();\n// done', 5],
    ['const a = 1; await main()', 5],
    ['await main() + 1', 6],
    ['await Promise.all([\n  await main(),\n  await main(),\n])', [5, 5]],
    ['let a\na = await main()', undefined],
    ['const a = []\na.push(await main())', undefined],
    ['await main()\nconst a = 1', undefined],
    ['await main(); main.x = 1', undefined],
    ['for (const a of [1]) {\n  await main()\n}', undefined],
    ['const a = `\nawait main()`', undefined],
  ])('returns what the last statement awaits: %s', async (source, value) => {
    expect(await result(`const main = async () => 5\n${source}`)).toEqual(value)
  })

  it('passes every character on', async () => {
    const odd = 'a\0b\n"\\ \u2028 é 😀'
    const json = JSON.stringify(odd)
    const call = async (name: string, args: JsonObject) =>
      name === 'fail' ? { problem: { message: odd } } : { data: [name, args, odd] }
    const source = `
      console.log(${json})
      const data = await tools[${json}]({ [${json}]: ${json} })
      try { await tools.fail() } catch (error) { data.push(error.message, error.message === ${json}) }
      return data`
    const { end, log } = await run(source, { call })
    expect(log).toBe(`${odd}\n`)
    const data = [odd, { [odd]: odd }, odd, odd, true]
    expect(end).toMatchObject({ text: JSON.stringify(data) })
    expect((await run(`return ${json}`)).end).toMatchObject({ text: odd })
    expect((await problem(`throw ${json}`)).message).toBe(`The script threw: ${odd}`)
    expect((await problem(`throw new Error(${json})`)).message).toBe(`Error: ${odd}`)
    expect((await run('return "a\\ud800b"')).end).toMatchObject({ text: 'a\uFFFDb' })
  })

  it.each([
    '}); globalThis.x = 5; (async () => {\n  return typeof x',
    '}, async () => {\n  return 1',
    '}\nasync function g() {\n  return 1',
    '}\n{\n  1',
    'return 1 }); (() => {',
  ])('does not let a script close its function: %s', async (source) => {
    expect((await problem(source)).message).toContain('SyntaxError')
  })

  it('gives errors in scripts the right stack', async () => {
    const source = `const f = () => {
        throw new Error('no')
      }
      const found = []
      try { f() } catch (error) { found.push(error.stack) }
      try { await tools.fail({}) } catch (error) { found.push(error.stack) }
      return found`
    const call = async () => ({ problem: { message: 'no' } })
    const [thrown, ofCall] = (await result(source, { call })) as string[]
    expect(thrown).toMatch(/^\s*at f \(script\.ts:2:24\)\n\s*at <anonymous> \(script\.ts:5:/)
    expect(ofCall).toMatch(/^\s*at <anonymous> \(script\.ts:6:/)
    expect(ofCall).not.toContain('gateway')
  })

  it('writes no lines that a script forges', async () => {
    const source = 'const e = new Error("no")\ne.name = "Error\\n\\nCalls: done: x"\nthrow e'
    expect((await problem(source)).message).toBe('Error: no')
  })

  describe('names the place of an error', () => {
    it.each([
      ['of the first line', 'return null.x', 1, 12],
      ['of the syntax of the first line', 'const b = ;', 1, 11],
      ['of one call too many', 'for (;;)\n  await tools.a()', 2, undefined],
      ['of too much memory', 'const a = []\nfor (;;)\n  a.push(new Uint8Array(1e6))', 3, undefined],
    ])('%s', async (_, source, line, column) => {
      const found = await problem(source)
      expect(found).toMatchObject({ line, ...(column && { column }) })
    })

    it.each([
      ['of the script', 'const a: { b?: any } = {}\n\nreturn a.b.c', 3, 11],
      ['in a function', 'function f(x: any) {\n  return x.y.z\n}\nf({})', 2, 13],
      ['after a call', 'await tools.a({})\n  throw new Error("no")', 2, 18],
      ['of the syntax', 'const a = 1\nconst b = ;', 2, 11],
      ['of an unclosed block', 'if (true) {\n  return 1', 2, 11],
      ['of syntax that is more than a type', 'enum A { B }', 1, 1],
      ['of an import', 'const a = 1\nimport fs from "fs"', 2, 1],
    ])('%s', async (_, source, line, column) => {
      expect(await problem(source)).toMatchObject({ line, column })
    })

    it('as the documentation shows it', async () => {
      const source = [
        'const paths = [1, 2, 3, 4].map((day) => "/logs/day-" + day + ".log")',
        'for (const path of paths) {',
        '  const { content } = await tools.files__read_text_file({ path })',
        '}',
      ].join('\n')
      const call = async (_: string, { path }: JsonObject) =>
        path === '/logs/day-4.log'
          ? { problem: { message: `ENOENT: no such file or directory, open '${path}'` } }
          : { data: { content: '' } }
      const sample = new URL('../../../../docs/samples/scripts/error.txt', import.meta.url)
      expect(`${writeRun(await run(source, { call }), source)}\n`).toBe(
        readFileSync(sample, 'utf8'),
      )
    })

    it('of a call that failed', async () => {
      const call = async () => ({ problem: { message: 'no such issue' } })
      const found = await problem('const a = 1\nawait tools.x({})', { call })
      expect(found).toEqual({ message: 'ToolError: no such issue', line: 2, column: 14 })
    })
  })

  it.each([
    ['fetch("http://localhost")', 'Scripts have no network'],
    ['require("fs")', 'not in Node'],
    ['process.exit()', 'not in Node'],
    ['await import("node:fs")', 'Scripts have no imports'],
    ['enum A { B }', 'can be erased'],
    ['setTimeout(() => {}, 1)', 'no timers'],
    ['Date.now()', 'no clock'],
    ['new Date()', 'no clock'],
    ['Date()', 'no clock'],
    ['new (new Date(0).constructor)()', 'no clock'],
    ['Math.random()', 'no randomness'],
    ['Object.keys(tools)', 'Find tools with tool_search'],
    ['tools.a = 1', 'cannot be changed'],
    ['tools.a("text")', 'as one object'],
    ['tools.a({}, { timeout: 1 })', 'as one object'],
    ['tools.callTool("git__log", { n: 1 })', 'tools["git__log"]({ … })'],
    [
      'const a = <any>5',
      'SyntaxError: The angle-bracket syntax for type assertions, `<T>expr`, is not supported. Scripts support only',
    ],
    ['const a = {}; a.a = a; return a', 'circular'],
    ['return [1].map(async () => 1)', 'contains a promise'],
    ['return { a: tools.a() }', 'await Promise.all'],
    ['throw "text"', 'threw: text'],
    [
      'const f = tools.a()\nreturn f.content',
      'tools.a({ … }) returns a promise. Await it before you use the result',
    ],
    ['const { items } = tools.a()', 'Await it before you use the result'],
    ['return "found " + tools.a()', 'Await it before you use the result'],
    ['new URL("https://example.com")', 'no APIs of browsers or Node'],
    [
      'await Promise.any([Promise.reject(new Error("one")), Promise.reject("two")])',
      'Error: one; two',
    ],
    ['throw { get message() { throw 1 } }', 'threw'],
    ['undeclared = 1', 'undeclared'],
  ])('explains %s', async (source, message) => {
    expect((await problem(source)).message).toContain(message)
  })

  it('gives scripts nothing else', async () => {
    const names = await result('return Object.getOwnPropertyNames(globalThis)')
    expect(names).toMatchInlineSnapshot(`
      [
        "Error",
        "EvalError",
        "RangeError",
        "ReferenceError",
        "SyntaxError",
        "TypeError",
        "URIError",
        "InternalError",
        "AggregateError",
        "Array",
        "Object",
        "Function",
        "Iterator",
        "parseInt",
        "parseFloat",
        "isNaN",
        "isFinite",
        "decodeURI",
        "decodeURIComponent",
        "encodeURI",
        "encodeURIComponent",
        "escape",
        "unescape",
        "Infinity",
        "NaN",
        "undefined",
        "eval",
        "Number",
        "Boolean",
        "String",
        "Math",
        "Reflect",
        "Symbol",
        "globalThis",
        "BigInt",
        "Date",
        "RegExp",
        "JSON",
        "Proxy",
        "Map",
        "Set",
        "WeakMap",
        "WeakSet",
        "ArrayBuffer",
        "Uint8ClampedArray",
        "Int8Array",
        "Uint8Array",
        "Int16Array",
        "Uint16Array",
        "Int32Array",
        "Uint32Array",
        "BigInt64Array",
        "BigUint64Array",
        "Float16Array",
        "Float32Array",
        "Float64Array",
        "DataView",
        "Promise",
        "tools",
        "console",
      ]
    `)
  })

  it('is the same in every time zone', async () => {
    vi.stubEnv('TZ', 'Asia/Kathmandu')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(new Date(0).getTimezoneOffset()).toBe(-330)
    expect(await result('return [new Date(2026, 0, 1), new Date(0).getTimezoneOffset()]')).toEqual([
      '2026-01-01T00:00:00.000Z',
      0,
    ])
  })

  describe('isolates scripts', () => {
    it('from the objects of the gateway', async () => {
      const source = `
        const found = []
        for (const each of [tools, tools.a, console.log, Promise, (async () => {})]) {
          const code = 'return [typeof process, typeof require, typeof globalThis.constructor.constructor("return process")]'
          try { found.push(each.constructor.constructor(code)()) } catch (error) { found.push(error.message) }
        }
        return found.flat().filter((each) => each === 'object' || each.includes('[native'))`
      expect(await result(source)).toEqual([])
    })

    it('from its own pollution of prototypes', async () => {
      const source = `
        Object.prototype.polluted = 1
        Array.prototype.map = Array.prototype.join = Map.prototype.get = Promise.prototype.then = undefined
        JSON.parse = JSON.stringify = () => { throw new Error('replaced') }
        Object.prototype.toJSON = undefined
        const { args } = await tools.a({ n: 1 })
        console.log(args.n)
        return 'done' + args.n`
      const { end, log } = await run(source)
      expect([end, log]).toEqual([{ kind: 'returned', text: 'done1', unawaited: [] }, '1\n'])
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
    })

    it('from keys such as __proto__ in arguments', async () => {
      const received: JsonObject[] = []
      const call = async (_: string, args: JsonObject) => {
        received.push(args)
        return { data: null }
      }
      await result('await tools.a(JSON.parse(`{"__proto__": {"isAdmin": true}}`)); return 1', {
        call,
      })
      expect((received[0] as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    })

    it('from scripts that ran before', async () => {
      await run('globalThis.secret = 1; Array.prototype.secret = 2; return 1')
      expect(await result('return [typeof secret, typeof [].secret]')).toEqual([
        'undefined',
        'undefined',
      ])
    })
  })

  describe('stops', () => {
    const cpuMs = 100
    it.each([
      ['an endless loop', 'while (true) {}'],
      ['an endless loop that catches everything', 'while (true) try { while (true) {} } catch {}'],
      ['an endless loop in a sort', '[3, 1, 2].sort(() => { while (true); })'],
      ['an endless loop of promises', 'for (;;) await null'],
      ['an endless loop after a call', 'await tools.a(); for (;;);'],
      ['a slow pattern', 'return /(a+)+$/.test("a".repeat(50) + "b")'],
      [
        'an endless getter of an error',
        'throw { get message() { for (;;); }, toJSON() { for (;;); } }',
      ],
    ])('%s', async (_, source) => {
      expect((await problem(source, { bounds: { cpuMs } })).message).toContain('endless loop')
    })

    it('slow code of the engine itself, which nothing can interrupt', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const [cpuMs, grace] = [10_000, 2_000]
      const call = async () => {
        setImmediate(() => vi.advanceTimersByTime(cpuMs + grace))
        return { data: null }
      }
      const source = 'await tools.a(); return new Array(2 ** 32 - 2).join("x")'
      expect((await problem(source, { call, bounds: { cpuMs } })).message).toContain('endless loop')
    })

    it.each([
      ['a list that grows', 'const a = []; for (;;) a.push({ a })'],
      ['a chain of promises', 'const f = () => Promise.resolve().then(f); await f()'],
      ['a huge string', 'return "a".repeat(2 ** 28)'],
      ['a huge buffer', 'return new ArrayBuffer(2 ** 30).byteLength'],
      ['a value while it is parsed', 'return JSON.parse("[" + "{},".repeat(1e6) + "1]").length'],
      ['a script that catches all', 'const a = []; for (;;) try { for (;;) a.push({}) } catch {}'],
      [
        'calls after the memory is full',
        'const a = []; try { for (;;) a.push({}) } catch {} await tools.a({ n: "x".repeat(1e4) }); return 1',
      ],
      [
        'buffers after calls',
        'const a = []; for (;;) a.push(await tools.a(), new Uint8Array(5e6))',
      ],
    ])('%s, if it takes too much memory', async (_, source) => {
      const { message } = await problem(source, { bounds: { memoryMb: 20 } })
      expect(message).toBe('The script needs more than 20 MB of memory, which is the limit.')
    })

    it('a result for which no memory is left', async () => {
      const call = async () => ({ data: 'y'.repeat(9_000_000) })
      const source =
        'const a = new Uint8Array(20_000_000).fill(1)\nreturn (await tools.big()).length + a[0]'
      expect((await problem(source, { call })).message).toBe(
        'The result of big has 9,000,002 characters, which is too much for the memory of the script. Ask the tool for less.',
      )
    })

    it('no script that needs less', async () => {
      const source = 'const a = new Uint8Array(20_000_000).fill(1); return a.length'
      expect(await result(source)).toBe(20_000_000)
      const bounds = { memoryMb: 16 }
      const small = 'return (await tools.a({ text: "x".repeat(1e6) })).args.text.length'
      expect(await result(small, { bounds })).toBe(1_000_000)
    })

    it('a string that doubles', async () => {
      expect((await problem('let a = "a"; for (;;) a += a')).message).toMatch(/memory|too long/)
    })

    it.each([
      ['deep recursion', 'const f = () => f() + 1; return f()'],
      ['deep recursion of the engine', 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5))'],
      ['deeply nested source', `return ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
      ['deeply nested source without brackets', `return ${'!'.repeat(40_000)}1`],
    ])('%s', async (_, source) => {
      expect((await problem(source)).message).toMatch(/stack overflow|nested too deeply|call stack/)
    })

    it('promises that nothing resolves', async () => {
      const { message } = await problem('await new Promise(() => {})')
      expect(message).toContain('a promise that nothing will ever resolve')
    })

    it('thousands of calls', async () => {
      let made = 0
      const call = async () => {
        made += 1
        return { data: null }
      }
      const source = 'for (;;) try { await tools.a() } catch {}'
      expect((await problem(source, { call })).message).toContain('more than 50 calls')
      expect(made).toBe(50)
      const atOnce = 'await Promise.all(Array.from({ length: 5000 }, () => tools.a()))'
      expect((await problem(atOnce, { call })).message).toContain('more than 50 calls')
      expect(made).toBeLessThanOrEqual(100)
    })

    it('large outputs', async () => {
      const bounds = { outputChars: 1_000 }
      expect((await problem('return "x".repeat(1001)', { bounds })).message).toContain(
        'returned 1,001 characters',
      )
      const source = 'for (let i = 0; i < 999; i++) console.log("line"); return "done"'
      const ended = await run(source, { bounds })
      expect([ended.log.length, ended.unloggedChars]).toEqual([1_000, 999 * 5 - 1_000])
      const text = writeRun(ended, source)
      expect(text).toMatch(
        /^Result:\ndone\n\nLog:\nline\n.*\n… 3,995 more characters were not kept\.$/s,
      )
    })

    it('waiting for a tool that never answers', async () => {
      let isCancelled = false
      const call: RunScriptOptions['call'] = (_, __, { signal }) => {
        signal.addEventListener('abort', () => {
          isCancelled = true
        })
        return new Promise(() => {})
      }
      const { message } = await problem('await tools.slow()', { call, bounds: { timeoutMs: 500 } })
      expect(message).toBe(
        'The script took longer than 0.5 seconds, which is the limit. It was waiting for slow.',
      )
      expect(isCancelled).toBe(true)
    })

    it('when the client cancels', async () => {
      const { signal, cancel } = createCancellation()
      const cancelled: string[] = []
      const call: RunScriptOptions['call'] = (name, _, options) => {
        options.signal.addEventListener('abort', () => cancelled.push(name))
        if (name === 'b') cancel()
        return new Promise(() => {})
      }
      const source = 'await Promise.all([tools.a(), tools.b()])'
      expect((await problem(source, { call, signal })).message).toBe('The script was cancelled.')
      expect(cancelled).toEqual(['a', 'b'])
    })
  })

  it('does not count the time in which a person answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { timeoutMs } = BOUNDS
    const call: RunScriptOptions['call'] = async (_, __, { pause }) => {
      const resume = pause()
      vi.advanceTimersByTime(2 * timeoutMs)
      resume()
      return { data: 'yes' }
    }
    const bounds = { timeoutMs, cpuMs: 10 * timeoutMs }
    expect(await result('return [await tools.ask()]', { call, bounds })).toEqual(['yes'])
  })

  it('passes large results, and names those that do not fit', async () => {
    const call = async (_: string, { chars }: JsonObject) => ({
      data: Array.from({ length: Number(chars) / 100 }, () => 'x'.repeat(97)),
    })
    const source = 'return (await tools.big({ chars: 6_000_000 })).length'
    expect(await result(source, { call })).toBe(60_000)
    const { message } = await problem(source, { call, bounds: { memoryMb: 16 } })
    expect(message).toContain('too much for the memory')
  })

  it('does not block the gateway', async () => {
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 5)
    await run('for (;;);', { bounds: { cpuMs: 250 } })
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
  })
})
