import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program } from './program.fixtures.ts'
import { runHere } from './run-here.fixtures.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-import-command-'))

/** A home folder with these files, and a way to run commands in it. */
function home(files: Record<string, string>) {
  const folder = mkdtempSync(join(root, 'home-'))
  const at = (name: string) => join(folder, name)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
  const env = { PATH: process.env.PATH, HOME: folder, TOOLSEARCH_CACHE: at('state') }
  const run = (...args: string[]) => runHere(args, { cwd: folder, env })
  /** The command that is written depends on how the process was started. */
  const runProcess = (...args: string[]) =>
    new Promise<{ code: number; err: string }>((resolve) => {
      execFile(process.execPath, [...program, ...args], { cwd: folder, env }, (error, _, err) => {
        resolve({ code: error ? Number(error.code) : 0, err })
      })
    })
  return { at, run, runProcess, text: (name: string) => readFileSync(at(name), 'utf8') }
}

const own = '.config/toolsearch/toolsearch.json'
const cursor = '{ "mcpServers": { "a": { "command": "a-mcp" } } }'
const codex = '# mine\n[mcp_servers.b]\ncommand = "b-mcp"\n'

describe('toolsearch import', () => {
  it('says where it looked if it finds no servers', async () => {
    const { run } = home({})
    const { code, err } = await run('import')
    expect(code).toBe(1)
    for (const client of ['Claude Desktop', 'Codex', 'Zed', 'Goose', 'JetBrains']) {
      expect(err).toContain(`${client}`)
    }
    expect(err).toContain('.codex/config.toml')
    expect(err).toContain('add NAME -- COMMAND')
  })

  it('lists every file before it writes, and says how to write without a terminal', async () => {
    const { run, at } = home({ '.cursor/mcp.json': cursor, '.codex/config.toml': codex })
    const { code, out, err } = await run('import', '--replace')
    expect(code).toBe(1)
    expect(out).toContain('3 files to write:')
    for (const file of [own, '.cursor/mcp.json', '.codex/config.toml']) {
      expect(out).toContain(`  ${at(file)} (`)
    }
    expect(err).toContain('Nothing was written. Use --yes to write without confirmation.')
    expect(existsSync(at(own))).toBe(false)
  })

  it('does not claim that a file has a server before the file exists', async () => {
    const { run, at } = home({ '.cursor/mcp.json': cursor, '.codeium/mcp_config.json': cursor })
    const first = await run('import', '--yes')
    expect(first.out).toContain(`= a: the same as above, from ${at('.codeium/mcp_config.json')}`)
    const second = await run('import', '--yes')
    expect(second.out).toContain('= a: already in the config file, from ')
  })

  it('names a file of the wrong shape, and leaves no copies of clients files', async () => {
    const { run, at } = home({ '.cursor/mcp.json': cursor, '.codeium/mcp_config.json': '[1,2,3]' })
    const { code, err } = await run('import', '--replace', '--yes')
    expect(code).toBe(0)
    expect(err).toContain(`${at('.codeium/mcp_config.json')}:1:1`)
    expect(err).toContain('The file must contain an object.')
    expect(readdirSync(at('.cursor'))).toEqual(['mcp.json'])
    expect((await run('undo')).code).toBe(0)
    expect(readdirSync(at('.cursor'))).toEqual(['mcp.json'])
  })

  it('writes a command that works, names the next steps, and can be undone', async () => {
    const { run, runProcess, at, text } = home({
      '.cursor/mcp.json': cursor,
      '.codex/config.toml': codex,
    })
    const { code, err } = await runProcess('import', '--replace', '--yes')
    expect(code).toBe(0)
    expect(JSON.parse(text(own))).toMatchObject({
      $schema: expect.stringMatching(/^file:.*config-schema\.json$/),
      mcpServers: { a: { command: 'a-mcp' }, b: { command: 'b-mcp' } },
    })
    expect(err).toContain('Next:')
    expect(err).toContain('doctor')
    const { command, args } = JSON.parse(text('.cursor/mcp.json')).mcpServers.toolsearch
    expect(command).toBe('node')
    const help = await new Promise<string>((resolve) => {
      execFile(command, [...args.slice(0, args.indexOf('serve')), '--help'], (_, out) =>
        resolve(out),
      )
    })
    expect(help).toContain('one MCP server in front of all your MCP servers')
    expect(text('.codex/config.toml')).toContain(
      '# mine\n[mcp_servers.toolsearch]\ncommand = "node"',
    )

    const again = await run('import', '--replace', '--yes')
    expect(again.err).toContain('Nothing to import')

    const undone = await run('undo')
    expect(undone.code).toBe(0)
    expect(text('.cursor/mcp.json')).toBe(cursor)
    expect(text('.codex/config.toml')).toBe(codex)
    expect(existsSync(at(own))).toBe(false)
    expect((await run('undo')).err).toContain('Nothing to undo.')
  })
})
