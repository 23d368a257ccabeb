import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { isGatewayEntry } from '../config/is-gateway-entry.ts'
import { readConfig } from '../config/read-config.ts'
import { createFileChanges } from '../system/file-changes.ts'
import { findClientConfigs } from './find-client-configs.ts'
import { gatewayProgram } from './gateway-entry.ts'
import { type ImportPlan, type PlanImportOptions, planImport } from './plan-import.ts'
import { planReplacement } from './plan-replacement.ts'
import { writeImport } from './write-import.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolsearch-import-')))

/** A machine with these files in its home folder; the current folder is `work/`. */
function machine(files: Record<string, unknown>, platform: NodeJS.Platform = 'linux') {
  const home = mkdtempSync(join(root, 'home-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(
      join(home, name),
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    )
  }
  return { home, platform, env: {}, cwd: join(home, 'work') }
}

type Options = Partial<PlanImportOptions>
async function plan(at: ReturnType<typeof machine>, options: Options = {}) {
  const found = await findClientConfigs(at)
  const file = join(at.home, 'toolsearch.json')
  const result = planImport(found, { file, home: at.home, env: {}, ...options })
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return { found, file, plan: result.plan }
}

const outcomes = ({ servers }: ImportPlan) =>
  servers.map(({ from, found, outcome, name }) => [from.client.id, found.name, outcome, name])

/** Carries out an import, replacing the servers in the clients' files if asked to. */
async function write(
  at: ReturnType<typeof machine>,
  { file, plan: planned }: { file: string; plan: ImportPlan },
  { replace }: { replace: boolean } = { replace: true },
) {
  const changes = createFileChanges(join(at.home, 'state'))
  const clientFiles = replace ? (await planReplacement(planned, file)).files : []
  return { changes, written: await writeImport(planned, { file, clientFiles, changes }) }
}

describe('findClientConfigs', () => {
  it.each([
    ['linux', '.config'],
    ['darwin', 'Library/Application Support'],
    ['win32', 'AppData/Roaming'],
  ] as const)('finds client configurations on %s', async (platform, settings) => {
    const one = { command: 'x' }
    const at = machine(
      {
        [`${settings}/Claude/claude_desktop_config.json`]: { mcpServers: { desktop: one } },
        '.claude.json': {
          numStartups: 7,
          mcpServers: { code: one },
          projects: { '/p': { mcpServers: { inP: one } }, '/q': { mcpServers: {} }, '/r': {} },
        },
        'work/.mcp.json': { mcpServers: { project: one } },
        '.cursor/mcp.json': { mcpServers: { cursor: one } },
        'work/.cursor/mcp.json': { mcpServers: { cursorProject: one } },
        [`${settings}/Code/User/mcp.json`]:
          '{ // mine\n "servers": { "code1": { "command": "x" }, } }',
        'work/.vscode/mcp.json': { servers: { vscodeProject: one } },
        '.codeium/windsurf/mcp_config.json': { mcpServers: { surf: one } },
      },
      platform,
    )
    const found = await findClientConfigs(at)
    expect(
      found.map(({ client, project, servers }) => [client.id, project, servers[0]?.name]),
    ).toEqual([
      ['claude-desktop', undefined, 'desktop'],
      ['claude-code', undefined, 'code'],
      ['claude-code', '/p', 'inP'],
      ['claude-code', at.cwd, 'project'],
      ['cursor', undefined, 'cursor'],
      ['cursor', at.cwd, 'cursorProject'],
      ['vscode', undefined, 'code1'],
      ['vscode', at.cwd, 'vscodeProject'],
      ['windsurf', undefined, 'surf'],
    ])
  })

  it('respects environment variables that move configuration folders', async () => {
    const at = machine({
      'xdg/Claude/claude_desktop_config.json': { mcpServers: { a: { command: 'x' } } },
      'cc/.claude.json': { mcpServers: { b: { command: 'x' } } },
    })
    const env = { XDG_CONFIG_HOME: join(at.home, 'xdg'), CLAUDE_CONFIG_DIR: join(at.home, 'cc') }
    const found = await findClientConfigs({ ...at, env })
    expect(found.map(({ servers }) => servers[0]?.name)).toEqual(['a', 'b'])
  })

  it('reports broken files and entries, and skips files without servers', async () => {
    const at = machine({
      '.cursor/mcp.json': '{ "mcpServers": ',
      '.claude.json': { mcpServers: [], projects: 5 },
      'work/.mcp.json': { mcpServers: { odd: 'x' } },
      '.codeium/windsurf/mcp_config.json/folder': 'x',
    })
    const found = await findClientConfigs(at)
    expect(found.map(({ client, problems }) => [client.id, problems.length])).toEqual([
      ['claude-code', 1],
      ['cursor', 1],
      ['windsurf', 1],
    ])
  })

  it.each(['', ' \n', '// nothing yet\n'])('skips a file that is empty: %j', async (text) => {
    expect(await findClientConfigs(machine({ '.cursor/mcp.json': text }))).toEqual([])
  })

  it.each([
    ['.cursor/mcp.json', '[1,2,3]', 'The file must contain an object.'],
    ['.cursor/mcp.json', '"x"', 'The file must contain an object.'],
    ['.config/goose/config.yaml', '- a\n', 'The file must contain an object.'],
    ['.cursor/mcp.json', '{ "mcpServers": 5 }', '"mcpServers" must be an object.'],
    ['.cursor/mcp.json', '{ "mcpServers": { "a": 1 } }', '"mcpServers.a" is not a server.'],
    ['.config/opencode/opencode.json', '{ "mcp": [1] }', '"mcp" must be an object.'],
  ])('names %s with the reason if it contains %s', async (name, text, message) => {
    const at = machine({ [name]: text })
    expect(await findClientConfigs(at)).toMatchObject([
      { file: join(at.home, name), servers: [], problems: [{ message }] },
    ])
  })
})

describe('planImport', () => {
  it('merges identical servers, renames servers whose name is taken, and skips those it cannot serve', async () => {
    const git = { command: 'uvx', args: ['git'] }
    const at = machine({
      '.cursor/mcp.json': { mcpServers: { git, 'my files': { command: 'files' } } },
      '.config/Code/User/mcp.json': {
        servers: {
          git: { type: 'stdio', ...git },
          my_files: { command: 'other' },
          asks: { command: 'x', env: { KEY: '${input:key}' } },
        },
      },
      '.codeium/windsurf/mcp_config.json': {
        mcpServers: {
          git: { command: 'git3' },
          us: { command: 'npx', args: ['-y', 'toolsearch-gateway', 'serve'] },
        },
      },
    })
    const { plan: planned, file } = await plan(at)
    expect(outcomes(planned)).toEqual([
      ['cursor', 'git', 'added', 'git'],
      ['cursor', 'my files', 'added', 'my files'],
      ['vscode', 'git', 'duplicate', 'git'],
      ['vscode', 'my_files', 'added', 'my_files-vscode'],
      ['vscode', 'asks', 'skipped', undefined],
      ['windsurf', 'git', 'added', 'git-windsurf'],
      ['windsurf', 'us', 'gateway', undefined],
    ])
    expect(planned.servers.find(({ outcome }) => outcome === 'skipped')?.reason).toContain(
      '${input:key}',
    )
    expect(readConfig(planned.text, { file, env: {} })).toHaveProperty('config')
  })

  it('preserves what variables mean in each client', async () => {
    const args = ['${A}', '${env:B}', '${userHome}/x', '${workspaceFolder}']
    const at = machine({
      '.config/Claude/claude_desktop_config.json': {
        mcpServers: { desktop: { command: 'x', args } },
      },
      'work/.mcp.json': { mcpServers: { code: { command: 'x', args: ['${A:-a}'], cwd: 'sub' } } },
      'work/.cursor/mcp.json': { mcpServers: { cursor: { command: 'x', args } } },
    })
    const { plan: planned, file } = await plan(at)
    const result = readConfig(planned.text, { file, env: { A: 'valueA', B: 'valueB' } })
    if ('problems' in result) throw new Error(JSON.stringify(result.problems))
    expect(result.config.servers.map(({ connection }) => connection)).toMatchObject([
      { args },
      { args: ['valueA'], cwd: join(at.cwd, 'sub') },
      { args: ['${A}', 'valueB', `${at.home}/x`, at.cwd], cwd: at.cwd },
    ])
  })

  it.each(['cursor', 'vscode'])('replaces the variables of %s that are known', async (client) => {
    const args = ['${userHome}', '${workspaceFolder}/a', '${workspaceFolderBasename}', '${env:A}']
    const servers = { x: { command: 'x', args } }
    const at = machine({
      [`work/.${client}/mcp.json`]: { [client === 'cursor' ? 'mcpServers' : 'servers']: servers },
    })
    const { plan: planned } = await plan(at)
    expect(parse(planned.text).mcpServers.x.args).toEqual([
      ...[at.home, `${at.cwd}/a`, 'work', '${env:A}'],
    ])
  })

  it.each([
    ['VS Code', '.config/Code/User/mcp.json', '${workspaceFolder}'],
    ['VS Code', 'work/.vscode/mcp.json', '${workspaceFolder:other}'],
    ['VS Code', 'work/.vscode/mcp.json', '${file}'],
    ['VS Code', 'work/.vscode/mcp.json', '${fileDirname}'],
    ['VS Code', 'work/.vscode/mcp.json', '${relativeFile}'],
    ['VS Code', 'work/.vscode/mcp.json', '${config:python.path}'],
    ['VS Code', 'work/.vscode/mcp.json', '${command:python.interpreterPath}'],
    ['Cursor', '.cursor/mcp.json', '${workspaceFolder}'],
  ])('leaves a server to %s whose entry in %s uses %s', async (client, file, variable) => {
    const servers = { x: { command: 'x', args: ['--at', `${variable}/data`] } }
    const at = machine({ [file]: { [client === 'Cursor' ? 'mcpServers' : 'servers']: servers } })
    const { plan: planned } = await plan(at)
    expect(planned.servers).toMatchObject([
      {
        outcome: 'skipped',
        reason: `It uses ${variable}, which only ${client} can replace. Write the value instead.`,
      },
    ])
  })

  it('adds to an existing file and keeps its comments and settings', async () => {
    const at = machine({
      '.cursor/mcp.json': { mcpServers: { a: { command: 'new' }, b: { command: 'b' } } },
    })
    const existing =
      '{\n  // mine\n  "mcpServers": { "a": { "command": "old" } },\n  "toolsearch": { "mode": "auto" }\n}\n'
    const { plan: planned } = await plan(at, { existing })
    expect(planned.text).toContain('// mine')
    expect(parse(planned.text)).toEqual({
      mcpServers: { a: { command: 'old' }, 'a-cursor': { command: 'new' }, b: { command: 'b' } },
      toolsearch: { mode: 'auto' },
    })
  })

  it('hides secrets in the preview, and imports a server with an unset variable', async () => {
    const at = machine({
      '.claude.json': {
        mcpServers: {
          a: { url: '${HOST}/x', headers: { K: 'hunter2', L: '${L:-}' }, timeout: 30_000 },
        },
      },
    })
    const { plan: planned } = await plan(at)
    expect(planned.preview).toEqual({
      a: { url: '${HOST}/x', headers: { K: '***', L: '${L:-}' }, timeout: 30_000 },
    })
    expect(planned.text).toContain('hunter2')
  })

  it.each(['', ' \n', '\uFEFF'])('fills an existing file that is empty: %j', async (existing) => {
    const at = machine({ '.cursor/mcp.json': { mcpServers: { a: { command: 'x' } } } })
    const { plan: planned } = await plan(at, { existing })
    expect(parse(planned.text)).toMatchObject({ mcpServers: { a: { command: 'x' } } })
  })

  it.each([
    ['remote', 'headers', { url: 'https://x.dev/mcp', headers: { K: '{file:~/key}' } }],
    ['local', 'environment', { command: ['x'], environment: { K: '{file:~/key}' } }],
  ])('names the key if a %s server of opencode reads a file', async (type, key, entry) => {
    const at = machine({ '.config/opencode/opencode.json': { mcp: { a: { type, ...entry } } } })
    const { plan: planned } = await plan(at)
    expect(planned.servers[0]?.reason).toContain(`{file:…} in "${key}". Write`)
  })

  it.each(['[]', '{ "mcpServers": '])(
    'does not add to an existing file that contains %s',
    (existing) => {
      expect(planImport([], { file: 'x', home: '/', env: {}, existing })).toHaveProperty('problems')
    },
  )
})

describe('isGatewayEntry', () => {
  it.each([
    [{ command: 'npx', args: ['-y', 'toolsearch-gateway@1.2.3', 'serve'] }, true],
    [
      { command: 'node', args: ['/x/node_modules/toolsearch-gateway/dist/cli/main.js', 'serve'] },
      true,
    ],
    [{ command: '/usr/bin/toolsearch', args: ['serve'] }, true],
    [{ command: 'node', args: ['/c/packages/gateway/dist/command/main.js', 'serve'] }, true],
    [{ command: 'C:\\bin\\toolsearch.cmd', args: ['serve'] }, true],
    [{ command: 'npx', args: ['my-toolsearch-gateway-fork'] }, false],
    [{ command: 'files', args: ['/home/me/toolsearch'] }, false],
    [{ command: 5, args: 'x' }, false],
  ])('given %j, returns %s', (entry, expected) => {
    expect(isGatewayEntry(entry)).toBe(expected)
  })
})

describe('writeImport', () => {
  it('writes our file readable by its owner only, and changes no other file', async () => {
    const at = machine({ '.cursor/mcp.json': { mcpServers: { a: { command: 'x' } } } })
    const { plan: planned, file } = await plan(at)
    const { written } = await write(at, { plan: planned, file }, { replace: false })
    expect(written).toEqual([file])
    expect(readFileSync(file, 'utf8')).toBe(planned.text)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(at.home, '.cursor'))).toEqual(['mcp.json'])
  })

  it("replaces a client's servers with one entry and keeps everything else", async () => {
    const before = `{
  // my servers
  "mcpServers": {
    // about a
    "a": { "command": "x" }, // after a
    "asks": { "command": "x", "env": { "K": "\${NAME" }, "envFile": "y" }, // stays
    "b": { "command": "y" } /* between */, "c": { "command": "z" }
  },
  "other": [1,  2]
}
`
    const at = machine({ '.cursor/mcp.json': before })
    const { plan: planned, file } = await plan(at)
    const client = join(at.home, '.cursor/mcp.json')
    const { written } = await write(at, { plan: planned, file })
    expect(written).toEqual([file, client])
    // the arguments depend on where the tests run
    const after = readFileSync(client, 'utf8').replace(/"args": \[[^\]]*\]/, '"args": […]')
    expect(after).toMatchSnapshot()
    // `undo` has the previous content, so no copy with secrets stays here
    expect(readdirSync(dirname(client))).toEqual(['mcp.json'])
  })

  it.each([
    ['on one line', '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}},"k":1}'],
    ['with a trailing comma', '{ "mcpServers": { "a": { "command": "x" }, }, "k": 1 }'],
    ['with a byte order mark', '\uFEFF{ "mcpServers": { "a": { "command": "x" } }, "k": 1 }'],
    [
      'that has only comments left',
      '{ "mcpServers": { /* x */ "a": { "command": "x" } /* y */ }, "k": 1 }',
    ],
    [
      'with Windows line breaks',
      '{\r\n  "mcpServers": {\r\n    "a": { "command": "x" }\r\n  },\r\n  "k": 1\r\n}\r\n',
    ],
  ])('replaces servers in a file %s', async (_, text) => {
    const at = machine({ '.cursor/mcp.json': text })
    const { plan: planned, file } = await plan(at)
    await write(at, { plan: planned, file })
    const after = readFileSync(join(at.home, '.cursor/mcp.json'), 'utf8')
    expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
    const errors: never[] = []
    expect(parse(after.replace('\uFEFF', ''), errors, { allowTrailingComma: true })).toEqual({
      mcpServers: { toolsearch: gatewayProgram(file) },
      k: 1,
    })
    expect(errors).toEqual([])
  })

  it('keeps strict JSON strict', async () => {
    const servers = {
      left: { command: 'x', envFile: 'y' },
      a: { command: 'x' },
      toolsearch: { url: 1 },
    }
    for (const order of [
      ['left', 'a'],
      ['a', 'left'],
      ['a', 'left', 'toolsearch'],
      ['left', 'toolsearch', 'a'],
    ] as const) {
      const mcpServers = Object.fromEntries(order.map((name) => [name, servers[name]]))
      const at = machine({ '.cursor/mcp.json': { mcpServers } })
      const { plan: planned, file } = await plan(at)
      await write(at, { plan: planned, file })
      const after = JSON.parse(readFileSync(join(at.home, '.cursor/mcp.json'), 'utf8'))
      const gateway = 'toolsearch' in mcpServers ? 'toolsearch-gateway' : 'toolsearch'
      expect(Object.keys(after.mcpServers).sort()).toEqual(
        [...order.filter((name) => name !== 'a'), gateway].sort(),
      )
    }
  })

  it('replaces servers in several places of one file', async () => {
    const at = machine({
      '.claude.json': {
        n: 1,
        mcpServers: { a: { command: 'x' } },
        projects: { '/p': { mcpServers: { b: { command: 'y' } }, m: 2 } },
      },
    })
    const { plan: planned, file } = await plan(at)
    await write(at, { plan: planned, file })
    const gateway = { type: 'stdio', ...gatewayProgram(file) }
    expect(JSON.parse(readFileSync(join(at.home, '.claude.json'), 'utf8'))).toEqual({
      n: 1,
      mcpServers: { toolsearch: gateway },
      projects: { '/p': { mcpServers: { toolsearch: gateway }, m: 2 } },
    })
  })

  it('can run twice without importing the gateway itself', async () => {
    const at = machine({ '.cursor/mcp.json': { mcpServers: { a: { command: 'x' } } } })
    const first = await plan(at)
    await write(at, first)
    writeFileSync(first.file, '{ "mcpServers": { "mine": { "command": "x" } } }')
    const client = join(at.home, '.cursor/mcp.json')
    const edited = JSON.parse(readFileSync(client, 'utf8'))
    edited.mcpServers.b = { command: 'y' }
    writeFileSync(client, JSON.stringify(edited))
    const second = await plan(at, { existing: readFileSync(first.file, 'utf8') })
    expect(outcomes(second.plan).map(([, name, outcome]) => [name, outcome])).toEqual([
      ['toolsearch', 'gateway'],
      ['b', 'added'],
    ])
    await write(at, second)
    expect(Object.keys(JSON.parse(readFileSync(client, 'utf8')).mcpServers)).toEqual(['toolsearch'])
  })

  it('keeps a server that was edited after the plan was made', async () => {
    const at = machine({
      '.cursor/mcp.json': { mcpServers: { a: { command: 'x' }, b: { command: 'y' } } },
    })
    const { plan: planned, file } = await plan(at)
    writeFileSync(
      join(at.home, '.cursor/mcp.json'),
      '{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "z" } } }',
    )
    await write(at, { plan: planned, file })
    const after = JSON.parse(readFileSync(join(at.home, '.cursor/mcp.json'), 'utf8'))
    expect(Object.keys(after.mcpServers)).toEqual(['b', 'toolsearch'])
  })

  it('writes through symbolic links', async () => {
    const at = machine({
      'dotfiles/mcp.json': { mcpServers: { a: { command: 'x' } } },
      '.cursor/x': '',
    })
    symlinkSync(join(at.home, 'dotfiles/mcp.json'), join(at.home, '.cursor/mcp.json'))
    const { plan: planned, file } = await plan(at)
    await write(at, { plan: planned, file })
    expect(readFileSync(join(at.home, 'dotfiles/mcp.json'), 'utf8')).toContain('serve')
  })

  it('restores all files with one undo', async () => {
    const before = '{ "mcpServers": { "a": { "command": "x" } } }'
    const at = machine({ '.cursor/mcp.json': before, '.codeium/windsurf/mcp_config.json': before })
    const { plan: planned, file } = await plan(at)
    const { changes } = await write(at, { plan: planned, file })
    expect(readFileSync(join(at.home, '.cursor/mcp.json'), 'utf8')).toContain('serve')
    expect(await changes.undo()).toHaveProperty('restored')
    expect(readFileSync(join(at.home, '.cursor/mcp.json'), 'utf8')).toBe(before)
    expect(readFileSync(join(at.home, '.codeium/windsurf/mcp_config.json'), 'utf8')).toBe(before)
    expect(existsSync(file)).toBe(false)
  })

  it('leaves a file that became invalid to the person, with a snippet', async () => {
    const at = machine({ '.cursor/mcp.json': { mcpServers: { a: { command: 'x' } } } })
    const { plan: planned, file } = await plan(at)
    writeFileSync(join(at.home, '.cursor/mcp.json'), '{ "mcp')
    const { files, manual } = await planReplacement(planned, file)
    expect(files).toEqual([])
    expect(manual).toMatchObject([
      { file: join(at.home, '.cursor/mcp.json'), reason: 'The file is no longer valid.' },
    ])
    expect(JSON.parse(manual[0]!.snippet)).toEqual({
      mcpServers: { toolsearch: gatewayProgram(file) },
    })
  })
})
