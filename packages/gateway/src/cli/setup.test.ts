import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program } from './program.fixtures.ts'
import { runHere, startHere } from './run-here.fixtures.ts'
import { recorded } from './serving.fixtures.ts'

const command = ['node', ...program]
const root = mkdtempSync(join(tmpdir(), 'toolsearch-setup-'))

// a pseudo terminal from util-linux
const hasPseudoTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

const own = '.config/toolsearch/toolsearch.json'
const CTRL_C = '\u0003'

const silent = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }
const cursor = (server: object) => JSON.stringify({ mcpServers: { mine: server } }, null, 2)

type Answers = readonly (readonly [question: string, answer: string])[]

/** Types each answer when its question appears on the screen. */
function person(answers: Answers, type: (text: string) => void) {
  let screen = ''
  let seen = 0
  const waiting = [...answers]
  return {
    get screen() {
      return screen
    },
    read(piece: string) {
      screen += piece.replaceAll('\r', '')
      for (;;) {
        const next = waiting[0]
        const found = next ? screen.indexOf(next[0], seen) : -1
        if (!next || found < 0) return
        seen = found + next[0].length
        waiting.shift()
        type(next[1])
      }
    },
  }
}

/** A home folder with these files, in which the guide can run. */
function home(files: Record<string, string>, more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(root, 'home-'))
  const at = (name: string) => join(folder, name)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
  // stands in for the browser
  mkdirSync(at('bin'))
  writeFileSync(at('bin/xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${at('opened')}'\n`)
  chmodSync(at('bin/xdg-open'), 0o755)
  const env = {
    PATH: `${at('bin')}${delimiter}${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    HOME: folder,
    TOOLSEARCH_CACHE: at('state'),
    ...more,
  }

  /** Runs the guide in this process. */
  async function run(answers: Answers) {
    // a person reads the question first
    const reader = person(answers, (text) => setImmediate(() => guide.stdin.write(text)))
    const guide = startHere(['setup'], { cwd: folder, env, isTTY: true, onPrint: reader.read })
    const { code } = await guide.ended
    return { code, screen: reader.screen }
  }

  /** Starts the command without arguments in a pseudo terminal. */
  function start(answers: Answers) {
    const line = command.map((word) => `'${word}'`).join(' ')
    const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: folder, env })
    const type = (text: string) => void child.stdin.write(text)
    const reader = person(answers, type)
    child.stdout.on('data', (piece) => reader.read(String(piece)))
    const ended = once(child, 'close').then(([code]) => ({ code, screen: reader.screen }))
    return { type, ended }
  }
  return { at, run, start, env, folder, text: (name: string) => readFileSync(at(name), 'utf8') }
}

describe.skipIf(!hasPseudoTerminal)('toolsearch without arguments in a terminal', () => {
  it('finds clients, measures, imports, starts and opens the inspector', async () => {
    const before = cursor(recorded)
    const { start, at, text, env, folder } = home(
      { '.cursor/mcp.json': before, '.config/zed/settings.json': '{}' },
      { DISPLAY: ':0' },
    )
    const { type, ended } = start([
      ['measure what their tools cost? [Y/n]', 'y\n'],
      ['Import 1 server', 'y\n'],
      ['Let Cursor use the gateway', 'y\n'],
      ['Write? [Y/n]', '\n'],
      ['Show what to add to Zed?', 'y\n'],
      ['Start the gateway now', 'y\n'],
      ['Open the inspector', 'y\n'],
    ])
    // the gateway keeps running until it is stopped
    try {
      await expect
        .poll(() => existsSync(at('opened')) && text('opened'))
        .toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
      expect((await fetch(new URL('/api/overview', text('opened')))).status).toBe(200)
    } finally {
      type(CTRL_C)
    }
    const { screen } = await ended
    expect(screen).toContain(`Inspector: ${text('opened')}`)
    expect(screen).toContain('connect to the URL above.')
    expect(screen).toContain('2 MCP clients found:\n  Cursor: 1 server\n  Zed: no servers')
    expect(screen).toMatch(/Cursor today +1,\d{3}\n {2}Through the gateway +\d{3}\n/)
    expect(screen).toContain(`2 files to write:\n  ${at(own)} (new file, 1 server added)`)
    expect(screen).toContain('"context_servers"')
    expect(screen).toMatch(/To restore every file as it was: .*undo/)
    // Cursor has its entry already
    expect(screen).not.toContain("Add this to your client's configuration")
    expect(screen).toMatch(/See what they did with: .*history/)
    expect(screen).toMatch(/Serving 1 server at http:\/\/127\.0\.0\.1:77\d\d\/mcp/)
    expect(JSON.parse(text('.cursor/mcp.json')).mcpServers).toHaveProperty('toolsearch')
    expect(JSON.parse(text(own)).mcpServers).toHaveProperty('mine')
    const undone = await runHere(['undo'], { cwd: folder, env })
    expect(undone.code).toBe(0)
    expect(text('.cursor/mcp.json')).toBe(before)
    expect(existsSync(at(own))).toBe(false)
  })

  it('stops with Ctrl-C while servers connect', async () => {
    const before = cursor(silent)
    const { start, at, text } = home({ '.cursor/mcp.json': before })
    const { code, screen } = await start([
      ['measure', 'y\n'],
      ['Connecting…', CTRL_C],
    ]).ended
    expect(screen).toContain('Stopped. Nothing was written.')
    expect(code).toBe(130)
    expect(text('.cursor/mcp.json')).toBe(before)
    expect(existsSync(at(own))).toBe(false)
  })
})

describe('toolsearch without arguments and without a terminal', () => {
  it('prints the help', async () => {
    const { env, folder } = home({ '.cursor/mcp.json': cursor(recorded) })
    const out = await new Promise<string>((resolve) => {
      execFile(command[0]!, command.slice(1), { env, cwd: folder }, (_, text) => resolve(text))
    })
    expect(out).toContain('Usage: toolsearch COMMAND [options]')
  })
})

describe('toolsearch setup', () => {
  it('measures the other servers if one needs a variable that is not set', async () => {
    const servers = {
      mine: recorded,
      keyed: { command: 'x', env: { KEY: `\${env:MY_KEY}` } },
      gone: { command: join(root, 'none') },
    }
    const { run } = home({ '.cursor/mcp.json': JSON.stringify({ mcpServers: servers }) })
    const { screen } = await run([
      ['measure what their tools cost? [Y/n]', 'y\n'],
      ['Import 3 servers', 'n\n'],
    ])
    expect(screen).toMatch(/Cursor today +1,\d{3}\n {2}Through the gateway +\d{3}\n/)
    expect(screen).toMatch(
      /Not counted:\n {2}keyed: .*needs the environment variable MY_KEY, which is not set\..*\n {2}gone: failed: /,
    )
    expect(screen).not.toContain('Could not measure')
  })

  it.each([
    ['is valid', { command: 'x', env: { KEY: `\${env:MY_KEY}` } }],
    ['starts', { command: join(root, 'none') }],
  ])('says why there is nothing to measure if no server %s', async (_, server) => {
    const { run } = home({ '.cursor/mcp.json': cursor(server) })
    const { screen } = await run([
      ['measure', 'y\n'],
      ['Import 1 server', 'n\n'],
    ])
    expect(screen).toContain('Not counted:\n  mine: ')
    expect(screen).not.toContain('Through the gateway')
  })

  it('recognises clients that already use the gateway when it runs again', async () => {
    const { run, at } = home({ '.cursor/mcp.json': cursor(recorded) })
    await run([
      ['measure', 'n\n'],
      ['Import 1 server', 'y\n'],
      ['Let Cursor use the gateway', 'y\n'],
      ['Write? [Y/n]', '\n'],
      ['Start the gateway now', 'n\n'],
    ])
    const again = await run([
      ['measure', 'y\n'],
      ['Start the gateway now', 'n\n'],
    ])
    expect(again.code).toBe(0)
    expect(again.screen).toContain('  Cursor: already uses the gateway\n')
    expect(again.screen).toContain('= mine: already in the config file\n')
    expect(again.screen).toMatch(/Without the gateway +1,\d{3}\n {2}Through the gateway +\d{3}\n/)
    rmSync(at(own))
    const emptied = await run([])
    expect(emptied.code).toBe(1)
    expect(emptied.screen).toContain('add NAME -- COMMAND')
    expect(emptied.screen).not.toContain('measure')
  })

  it('writes nothing if every step is declined', async () => {
    const before = cursor(recorded)
    const { run, at, text } = home({ '.cursor/mcp.json': before })
    const { code, screen } = await run([
      ['measure', 'n\n'],
      ['Import 1 server', 'maybe\n'],
      ['[Y/n]', 'no\n'],
    ])
    expect(code).toBe(1)
    expect(screen).toContain('Nothing was written.')
    expect(screen).toMatch(/Next:\n.* import .*\n.* add NAME -- COMMAND .*\n.* serve --http /)
    expect(text('.cursor/mcp.json')).toBe(before)
    expect(existsSync(at(own))).toBe(false)
    expect(existsSync(at('state'))).toBe(false)
  })

  it('shows what it starts, and by default does not start servers of a project', async () => {
    const server = { command: 'sh', args: ['-c', 'touch started'] }
    const { run, at, folder } = home({ '.cursor/x': '', '.mcp.json': cursor(server) })
    const { screen } = await run([
      ['start them only if you trust it. [y/N]', '\n'],
      ['Import 1 server', 'n\n'],
    ])
    expect(screen).toContain('+ mine: sh -c touch started')
    expect(screen).toContain(`from ${at('.mcp.json')} (project ${folder})`)
    expect(existsSync(at('started'))).toBe(false)
  })

  it('stops with Ctrl-C at a question', async () => {
    const before = cursor(silent)
    const { run, at, text } = home({ '.cursor/mcp.json': before })
    const { code, screen } = await run([
      ['measure', 'n\n'],
      ['Import 1 server', CTRL_C],
    ])
    expect(screen).toContain('Stopped. Nothing was written.')
    expect(code).toBe(130)
    expect(text('.cursor/mcp.json')).toBe(before)
    expect(existsSync(at(own))).toBe(false)
  })

  it('says what was written if it is stopped later', async () => {
    const { run, at } = home({ '.cursor/mcp.json': cursor(silent) })
    const { code, screen } = await run([
      ['measure', 'n\n'],
      ['Import 1 server', 'y\n'],
      ['Let Cursor use', 'n\n'],
      ['1 file to write', ''],
      ['Write? [Y/n]', 'y\n'],
      ['Show what to add', CTRL_C],
    ])
    expect(code).toBe(130)
    expect(screen).toMatch(new RegExp(`Stopped. Written: ${at(own)}. Restore with: .*undo`))
  })

  it('says where it looked if there is nothing to import', async () => {
    const { run } = home({})
    const { code, screen } = await run([])
    expect(code).toBe(1)
    expect(screen).toContain('No MCP clients found on this machine.')
    expect(screen).toContain('.codex/config.toml')
    expect(screen).toContain('add NAME -- COMMAND')
  })
})
