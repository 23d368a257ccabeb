import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CommandResult, runHere } from './run-here.fixtures.ts'
import { recorded } from './serving.fixtures.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-command-'))
  const good = { everything: recorded }
  const bad = { broken: { command: join(folder, 'no-such-program') } }
  await writeFile(join(folder, 'toolsearch.json'), JSON.stringify({ mcpServers: good }))
  await writeFile(join(folder, 'bad.json'), JSON.stringify({ mcpServers: { ...good, ...bad } }))
  await writeFile(join(folder, 'wrong.json'), '{\n  "mcpServer": {}\n}')
  await writeFile(
    join(folder, 'queries.jsonl'),
    '{"query":"sum of two numbers","relevant":["everything__get-sum"]}\n',
  )
})

const run = (...args: string[]) => runIn(folder, ...args)

function runIn(cwd: string, ...args: string[]): Promise<CommandResult> {
  const env = { PATH: process.env.PATH, HOME: folder, TOOLSEARCH_CACHE: join(folder, 'cache') }
  return runHere(args, { cwd, env })
}

describe('toolsearch', () => {
  it('search finds a tool and explains why', async () => {
    const { code, out } = await run('search', 'sum', 'of', 'two', 'numbers', '--explain')
    expect(code).toBe(0)
    expect(out).toContain('everything__get-sum')
    expect(out).toMatch(/sum in name \(/)
  })

  it('search prints JSON, and exits with 1 if nothing matches', async () => {
    const found = await run('search', 'sum of numbers', '--json')
    expect(JSON.parse(found.out).hits[0].tool.name).toBe('everything__get-sum')
    expect((await run('search', 'zzqx')).code).toBe(1)
  })

  it('tools and cost include every tool', async () => {
    expect((await run('tools')).out).toContain('everything__echo')
    expect((await run('tools', 'everything__echo')).out).toMatch(/\d+ tokens[\s\S]+"message"/)
    expect((await run('tools', 'none')).err).toContain('There is no tool "none"')
    const cost = JSON.parse((await run('cost', '--json')).out)
    expect(cost.eager).toBeGreaterThan(cost.listed)
    expect((await run('cost')).out).toContain('in 100 requests')
    expect(await run('cost', 'foo')).toMatchObject({
      code: 2,
      err: expect.stringContaining('toolsearch cost takes no arguments, but got "foo".'),
    })
  })

  it('call calls a tool, and rejects wrong arguments', async () => {
    const good = await run('call', 'everything__get-sum', '{"a":2,"b":3}')
    expect(good).toMatchObject({ code: 0, out: 'The sum of 2 and 3 is 5.\n' })
    const bad = await run('call', 'everything__get-sum', '{"a":"x"}')
    expect(bad).toMatchObject({
      code: 1,
      out: [
        'The arguments for "everything__get-sum" do not match its schema.',
        "  the arguments must have required property 'b'",
        '  a must be number',
        'Run toolsearch tools everything__get-sum to see its parameters.\n',
      ].join('\n'),
    })
    const missing = await run('call', 'everything__get-sun')
    expect(missing.out).toMatch(
      /^There is no tool named "everything__get-sun"\. Similar names: .+\n$/,
    )
    expect(JSON.parse((await run('call', 'none', '--json')).out)).toMatchObject({ isError: true })
    expect((await run('call', 'everything__get-sum', 'nonsense')).code).toBe(2)
  })

  it('call does not wait for other servers if the tool is cached', async () => {
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

  it('doctor reports problems and how to fix them', async () => {
    const { code, out } = await run('doctor', '-c', 'bad.json')
    expect(code).toBe(1)
    expect(out).toContain('✓ everything')
    expect(out).toContain('✗ broken: failed')
    expect(out).toContain('Install the program or use its full path')
    expect(out).not.toContain('\u001b[')
    expect((await run('doctor')).code).toBe(0)
  })

  it('eval measures search quality with your own queries', async () => {
    const { code, out } = await run('eval', '-q', 'queries.jsonl', '--min-recall', '1')
    expect(code).toBe(0)
    expect(out).toContain('R@5 100.0%')
    expect((await run('eval')).code).toBe(2)
  })

  it('import --json shows the servers and writes nothing', async () => {
    const { code, out } = await run('import', '--json', '-c', 'new.json')
    expect(code).toBe(0)
    expect(JSON.parse(out).servers).toEqual({})
  })

  it('import writes all files or none, without a stack trace', async () => {
    const project = join(folder, 'project')
    await mkdir(project)
    // The file name is so long that a temporary file next to it cannot be created.
    const clientFile = join(project, 'x'.repeat(250))
    const client = JSON.stringify({ mcpServers: { mine: { command: 'mine' } } })
    await writeFile(clientFile, client)
    await symlink(clientFile, join(project, '.mcp.json'))
    const { code, err } = await runIn(project, 'import', '-c', 'own.json', '--replace', '--yes')
    expect(code).toBe(1)
    expect(err).toMatch(/\.mcp\.json.+ENAMETOOLONG/)
    expect(err).toContain('Nothing was changed.')
    expect(err).not.toContain('    at ')
    expect(existsSync(join(project, 'own.json'))).toBe(false)
    expect(await readFile(clientFile, 'utf8')).toBe(client)
  })

  it('rejects an invalid configuration with the file, the line and a fix', async () => {
    const { code, err } = await run('tools', '-c', 'wrong.json')
    expect(code).toBe(2)
    expect(err).toMatch(/wrong\.json:2/)
    expect(err).toContain('mcpServers')
    expect((await run('tools', '-c', 'missing.json')).err).toContain('does not exist')
  })
})
