import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const loader = fileURLToPath(import.meta.resolve('tsx'))
const everything = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
)
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-command-'))
  const good = { everything: { command: process.execPath, args: [everything] } }
  const bad = { broken: { command: join(folder, 'no-such-program') } }
  await writeFile(join(folder, 'toolsearch.json'), JSON.stringify({ mcpServers: good }))
  await writeFile(join(folder, 'bad.json'), JSON.stringify({ mcpServers: { ...good, ...bad } }))
  await writeFile(join(folder, 'wrong.json'), '{\n  "mcpServer": {}\n}')
  await writeFile(
    join(folder, 'queries.jsonl'),
    '{"query":"sum of two numbers","relevant":["everything__get-sum"]}\n',
  )
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, TOOLSEARCH_CACHE: join(folder, 'cache') }
  const line = ['--conditions=@toolsearch/source', '--import', loader, main, ...args]
  return new Promise((resolve) => {
    execFile(process.execPath, line, { cwd: folder, env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err })
    })
  })
}

describe('toolsearch', () => {
  it('search finds a tool, and says why', async () => {
    const { code, out } = await run('search', 'sum', 'of', 'two', 'numbers', '--explain')
    expect(code).toBe(0)
    expect(out).toContain('everything__get-sum')
    expect(out).toMatch(/sum in name \(/)
  })

  it('search gives data, and 1 when nothing fits', async () => {
    const found = await run('search', 'sum of numbers', '--json')
    expect(JSON.parse(found.out).hits[0].tool.name).toBe('everything__get-sum')
    expect((await run('search', 'zzqx')).code).toBe(1)
  })

  it('tools and cost tell of every tool', async () => {
    expect((await run('tools')).out).toContain('everything__echo')
    expect((await run('tools', 'everything__echo')).out).toMatch(/\d+ tokens[\s\S]+"message"/)
    expect((await run('tools', 'none')).err).toContain('There is no tool "none"')
    const cost = JSON.parse((await run('cost', '--json')).out)
    expect(cost.eager).toBeGreaterThan(cost.listed)
    expect((await run('cost')).out).toContain('in 100 turns')
  })

  it('call calls, and tells of wrong arguments', async () => {
    const good = await run('call', 'everything__get-sum', '{"a":2,"b":3}')
    expect(good).toMatchObject({ code: 0, out: 'The sum of 2 and 3 is 5.\n' })
    expect((await run('call', 'everything__get-sum', '{"a":"x"}')).code).toBe(1)
    expect((await run('call', 'everything__get-sum', 'nonsense')).code).toBe(2)
  })

  it('call waits for no other server when it knows the tool', async () => {
    await run('tools')
    const { code, err } = await run(
      'call',
      'everything__echo',
      '{"message":"hi"}',
      '-c',
      'bad.json',
    )
    expect(code).toBe(0)
    expect(err).not.toContain('broken')
  })

  it('doctor says what is wrong and how to mend it', async () => {
    const { code, out } = await run('doctor', '-c', 'bad.json')
    expect(code).toBe(1)
    expect(out).toContain('✓ everything')
    expect(out).toContain('✗ broken: failed')
    expect(out).toContain('Install it or use its full path')
    expect(out).not.toContain('\u001b[')
    expect((await run('doctor')).code).toBe(0)
  })

  it('eval judges the search on your own queries', async () => {
    const { code, out } = await run('eval', '-q', 'queries.jsonl', '--min-recall', '1')
    expect(code).toBe(0)
    expect(out).toContain('R@5 100.0 %')
    expect((await run('eval')).code).toBe(2)
  })

  it('import shows what it would take and writes nothing unasked', async () => {
    const { code, out } = await run('import', '--json', '-c', 'new.json')
    expect(code).toBe(0)
    expect(JSON.parse(out).servers).toEqual({})
  })

  it('refuses a configuration with file, line and fix', async () => {
    const { code, err } = await run('tools', '-c', 'wrong.json')
    expect(code).toBe(2)
    expect(err).toMatch(/wrong\.json:2/)
    expect(err).toContain('mcpServers')
    expect((await run('tools', '-c', 'missing.json')).err).toContain('does not exist')
  })
})
