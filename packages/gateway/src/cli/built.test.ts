import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { commands } from './commands.ts'
import { exampleServer } from './serving.fixtures.ts'

// The published package contains a bundle, but most other tests run the sources.
const main = fileURLToPath(new URL('../../dist/command/main.js', import.meta.url))
let folder = ''

beforeAll(async () => {
  if (!existsSync(main)) throw new Error('The gateway is not built yet. Run npm run build.')
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-built-'))
  const company = await exampleServer(folder)
  const config = { mcpServers: { company } }
  await writeFile(join(folder, 'toolsearch.json'), JSON.stringify(config))
})

function run(...args: string[]): Promise<{ code: number; out: string }> {
  return runNode([main, ...args])
}

function runNode(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, TOOLSEARCH_CACHE: join(folder, 'cache') }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err })
    })
  })
}

it('validates arguments against the full schema in the built package', async () => {
  const tool = 'company__chat__send_message'
  const bad = await run('call', tool, '{"to":{"channel":7},"text":"hi"}')
  expect(bad.code).toBe(1)
  expect(bad.out).toContain('to.channel must be string')
  const good = await run('call', tool, '{"to":{"channel":"#billing"},"text":"hi"}')
  expect(good.code).toBe(0)
})

it('writes entries for clients that start the built package', async () => {
  await mkdir(join(folder, '.cursor'))
  const client = join(folder, '.cursor', 'mcp.json')
  await writeFile(client, '{ "mcpServers": { "mine": { "command": "x" } } }')
  expect((await run('import', '--replace', '--yes', '-c', 'imported.json')).code).toBe(0)
  const { command, args } = JSON.parse(await readFile(client, 'utf8')).mcpServers.toolsearch
  expect([command, ...args]).toEqual([
    'node',
    main,
    'serve',
    '--config',
    join(await realpath(folder), 'imported.json'),
  ])
  const { $schema } = JSON.parse(await readFile(join(folder, 'imported.json'), 'utf8'))
  expect(existsSync(new URL($schema))).toBe(true)
})

/** Runs the command. Returns the URLs of the modules that it loads, and what it prints. */
async function trace(...args: string[]): Promise<{ modules: string[]; out: string }> {
  const log = join(folder, 'modules.txt')
  await writeFile(log, '')
  const hooks = `import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  appendFileSync(${JSON.stringify(log)}, url + '\\n')
  return next(url, context)
}`
  const register = `import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))`
  const hook = `data:text/javascript,${encodeURIComponent(register)}`
  const { code, out } = await runNode(['--import', hook, main, ...args])
  expect(code).toBe(0)
  const urls = (await readFile(log, 'utf8')).trim().split('\n')
  return { modules: urls.filter((url) => url.startsWith('file:')), out }
}

interface StaticImports {
  /** The chunks, the first one included. */
  readonly files: readonly string[]
  readonly packages: readonly string[]
  /** Of all chunks together. */
  readonly size: number
}

/** What a chunk of the bundle imports statically. */
async function staticImports(start: string): Promise<StaticImports> {
  const files = new Set([start])
  const packages: string[] = []
  let size = 0
  for (const file of files) {
    const code = await readFile(file, 'utf8')
    size += code.length
    for (const [, name] of code.matchAll(/(?:^|[;\n])(?:im|ex)port[^"'();]*"([^"]+)"/g)) {
      if (name!.startsWith('.')) files.add(join(file, '..', name!))
      else if (!name!.startsWith('node:')) packages.push(name!)
    }
  }
  return { files: [...files], packages, size }
}

describe('start-up', () => {
  it.each([['--version'], ['--help'], ['help', 'search']])(
    '%s %s loads little code and no packages',
    async (...line) => {
      const { modules } = await trace(...line)
      expect(modules.filter((module) => module.includes('/node_modules/'))).toEqual([])
      const sizes = await Promise.all(modules.map(async (url) => (await stat(new URL(url))).size))
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000)
    },
  )

  it('the description of every command needs little code and no packages', async () => {
    const chunks = fileURLToPath(new URL('../../dist/chunks', import.meta.url))
    const described = (await readdir(chunks)).filter((file) =>
      commands.some(({ name }) => file.startsWith(`${name}-command-`)),
    )
    expect(described).toHaveLength(commands.length)
    for (const file of described) {
      const { packages, size } = await staticImports(join(chunks, file))
      expect(packages, file).toEqual([])
      expect(size, file).toBeLessThan(20_000)
    }
  })

  it('finds cached tools with semantic search, and loads neither the MCP SDK nor ajv for it', async () => {
    await run('tools')
    const { modules, out } = await trace('search', 'give the customer their money back')
    expect(out).toContain('company__payments__refund_payment')
    expect(modules.filter((module) => /modelcontextprotocol|\/ajv\//.test(module))).toEqual([])
    // Chunks of the bundle, most of them tiny. Without the bundle, there are more than 300 modules.
    expect(modules.length).toBeLessThan(120)
  })

  it('explains which version of Node it needs, on an older one', async () => {
    const version = "Object.defineProperty(process.versions, 'node', { value: '18.20.4' })"
    const old = ['--import', `data:text/javascript,${encodeURIComponent(version)}`]
    const { code, err } = await runNode([...old, main, '--version'])
    expect(code).toBe(1)
    expect(err).toBe(
      'toolsearch needs Node.js 20.19 or later, but this is Node.js 18.20.4. Install a newer version: https://nodejs.org\n',
    )
    // Static imports are resolved before the version is checked.
    expect(await staticImports(main)).toMatchObject({ files: [main], packages: [] })
  })
})

it('lists every command with its own name and summary', async () => {
  for (const { name, summary, load } of commands) {
    const command = await load()
    expect({ name, summary }).toEqual({ name: command.name, summary: command.summary })
    expect(command.examples.length).toBeGreaterThan(0)
  }
})
