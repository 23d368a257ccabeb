import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { createFileChanges } from '../system/file-changes.ts'
import { findClientConfigs, findClients } from './find-client-configs.ts'
import { gatewayProgram } from './gateway-entry.ts'
import { KNOWN_CLIENTS } from './known-clients.ts'
import { parseClientFile } from './parse-client-file.ts'
import { planImport } from './plan-import.ts'
import { planReplacement } from './plan-replacement.ts'
import { replaceInClient } from './replace-in-client.ts'
import { snippetForClient } from './snippet-for-client.ts'
import { writeImport } from './write-import.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolsearch-clients-')))

/** A Linux machine with these files in its home folder; the current folder is `work/`. */
function machine(files: Record<string, string>, env: Record<string, string> = {}) {
  const home = mkdtempSync(join(root, 'home-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  return { home, platform: 'linux' as const, env, cwd: join(home, 'work') }
}

async function importFrom(at: ReturnType<typeof machine>) {
  const found = await findClientConfigs(at)
  const file = join(at.home, 'toolsearch.json')
  const result = planImport(found, { file, home: at.home, env: at.env })
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  const { plan } = result
  const skipped = plan.servers.flatMap(({ found: { name }, reason }) =>
    reason ? [[name, reason] as const] : [],
  )
  return { found, file, plan, servers: parse(plan.text).mcpServers, skipped }
}

interface Case {
  readonly client: string
  /** Relative to the home folder. */
  readonly file: string
  /** What the client writes. */
  readonly text: string
  /** What becomes of it in our file. */
  readonly imported: Record<string, object>
  /** Servers that stay in the client, each with a part of the reason. */
  readonly skipped?: readonly (readonly [name: string, reason: string])[]
  readonly env?: Record<string, string>
}

const CASES: readonly Case[] = [
  {
    client: 'claude-desktop',
    file: '.config/Claude/claude_desktop_config.json',
    text: `{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me"],
      "env": { "LOG": "\${NOT_REPLACED}" }
    }
  }
}`,
    imported: {
      filesystem: {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/me'],
        env: { LOG: '$${NOT_REPLACED}' },
      },
    },
  },
  {
    client: 'claude-code',
    file: '.claude.json',
    text: `{
  "numStartups": 12,
  "mcpServers": { "linear": { "type": "http", "url": "https://mcp.linear.app/mcp" } },
  "projects": {
    "/home/me/shop": {
      "allowedTools": [],
      "mcpServers": {
        "db": { "type": "stdio", "command": "db-mcp", "args": [], "env": { "URL": "\${DB_URL:-local}" } },
        "old": { "type": "stdio", "command": "old-mcp", "args": [] }
      },
      "disabledMcpServers": ["old"]
    }
  }
}`,
    imported: {
      linear: { type: 'http', url: 'https://mcp.linear.app/mcp' },
      db: {
        type: 'stdio',
        command: 'db-mcp',
        args: [],
        env: { URL: '${DB_URL:-local}' },
        cwd: '/home/me/shop',
      },
      old: { type: 'stdio', command: 'old-mcp', args: [], disabled: true, cwd: '/home/me/shop' },
    },
  },
  {
    client: 'cursor',
    file: '.cursor/mcp.json',
    text: `{ "mcpServers": { "api": { "url": "https://api.example.com/mcp", "headers": { "Authorization": "Bearer \${env:TOKEN}" } } } }`,
    imported: {
      api: {
        url: 'https://api.example.com/mcp',
        headers: { Authorization: 'Bearer ${env:TOKEN}' },
      },
    },
  },
  {
    client: 'vscode',
    file: '.config/Code/User/mcp.json',
    text: `{
  // from the gallery
  "inputs": [{ "type": "promptString", "id": "key", "description": "Key", "password": true }],
  "servers": {
    "playwright": { "type": "stdio", "command": "npx", "args": ["@playwright/mcp@latest"], "gallery": true },
    "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" },
    "asks": { "command": "x", "env": { "KEY": "\${input:key}" } },
  },
}`,
    imported: {
      playwright: {
        type: 'stdio',
        command: 'npx',
        args: ['@playwright/mcp@latest'],
        gallery: true,
      },
      github: { type: 'http', url: 'https://api.githubcopilot.com/mcp/' },
    },
    skipped: [['asks', '${input:key}']],
  },
  {
    client: 'vscode',
    file: '.config/Code/User/settings.json',
    text: `{
  "editor.fontSize": 14,
  "mcp": { "inputs": [], "servers": { "time": { "command": "uvx", "args": ["mcp-server-time"] } } }
}`,
    imported: { time: { command: 'uvx', args: ['mcp-server-time'] } },
  },
  {
    client: 'windsurf',
    file: '.codeium/windsurf/mcp_config.json',
    text: `{ "mcpServers": { "figma": { "serverUrl": "https://mcp.figma.com/mcp", "disabled": true, "disabledTools": ["write"] } } }`,
    imported: {
      figma: {
        serverUrl: 'https://mcp.figma.com/mcp',
        disabled: true,
        disabledTools: ['write'],
      },
    },
  },
  {
    client: 'codex',
    file: '.codex/config.toml',
    text: `model = "gpt-5"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env_vars = ["LOCAL_TOKEN"]
startup_timeout_sec = 20
tool_timeout_sec = 45

[mcp_servers.context7.env]
MY_ENV_VAR = "MY_VALUE"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_TOKEN"
http_headers = { "X-Region" = "us" }
env_http_headers = { "X-Key" = "FIGMA_KEY" }
enabled = false

[mcp_servers.chrome]
command = "chrome-mcp"
disabled_tools = ["screenshot"]
`,
    imported: {
      context7: {
        command: 'npx',
        args: ['-y', '@upstash/context7-mcp'],
        env: { LOCAL_TOKEN: '${LOCAL_TOKEN:-}', MY_ENV_VAR: 'MY_VALUE' },
        timeout: 45_000,
      },
      figma: {
        type: 'http',
        url: 'https://mcp.figma.com/mcp',
        headers: {
          'X-Region': 'us',
          'X-Key': '${FIGMA_KEY}',
          Authorization: 'Bearer ${FIGMA_TOKEN}',
        },
        disabled: true,
      },
      chrome: { command: 'chrome-mcp', toolsearch: { deny: ['screenshot'] } },
    },
  },
  {
    client: 'gemini-cli',
    file: '.gemini/settings.json',
    text: `{
  "theme": "Dracula",
  "mcp": { "excluded": ["experimental"] },
  "mcpServers": {
    "python": {
      "command": "python",
      "args": ["-m", "my_mcp_server", "--port", "8080"],
      "cwd": "./mcp-servers/python",
      "env": { "DATABASE_URL": "$DB_CONNECTION_STRING", "API_KEY": "\${EXTERNAL_API_KEY}", "PRICE": "5$" },
      "timeout": 15000,
      "trust": true,
      "excludeTools": ["drop"]
    },
    "http": { "httpUrl": "http://localhost:3000/mcp", "headers": { "X": "y" } },
    "sse": { "url": "http://localhost:8080/sse" },
    "experimental": { "command": "x" }
  }
}`,
    imported: {
      python: {
        command: 'python',
        args: ['-m', 'my_mcp_server', '--port', '8080'],
        cwd: './mcp-servers/python',
        env: {
          DATABASE_URL: '${DB_CONNECTION_STRING}',
          API_KEY: '${EXTERNAL_API_KEY}',
          PRICE: '5$',
        },
        timeout: 15_000,
        toolsearch: { deny: ['drop'] },
      },
      http: { type: 'http', url: 'http://localhost:3000/mcp', headers: { X: 'y' } },
      sse: { url: 'http://localhost:8080/sse' },
      experimental: { command: 'x', disabled: true },
    },
  },
  {
    client: 'zed',
    file: '.config/zed/settings.json',
    text: `// Zed settings
{
  "ui_font_size": 16,
  "context_servers": {
    "hexdocs": { "source": "custom", "command": "npx", "args": ["-y", "hexdocs-mcp"], "env": {} },
    "you": { "source": "custom", "enabled": false, "url": "https://api.you.com/mcp", "headers": { "A": "b" }, "timeout": 90 },
    "legacy": { "command": { "path": "/bin/x", "args": ["run"], "env": { "K": "v" } }, "settings": {} },
    "mcp-server-github": { "source": "extension", "enabled": true, "settings": { "token": "T" } },
  },
}`,
    imported: {
      hexdocs: { command: 'npx', args: ['-y', 'hexdocs-mcp'], env: {} },
      you: {
        url: 'https://api.you.com/mcp',
        headers: { A: 'b' },
        timeout: 90_000,
        disabled: true,
      },
      legacy: { command: '/bin/x', args: ['run'], env: { K: 'v' } },
    },
    skipped: [['mcp-server-github', 'extension']],
  },
  {
    client: 'opencode',
    file: '.config/opencode/opencode.json',
    text: `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "everything": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-everything"],
      "environment": { "KEY": "{env:MY_KEY}" },
      "enabled": true
    },
    "jira": { "type": "remote", "url": "https://jira.example.com/mcp", "enabled": false, "oauth": {} },
    "context7": { "type": "remote", "url": "https://mcp.context7.com/mcp", "headers": { "K": "{env:C7}" }, "oauth": false, "timeout": 5000 },
    "secret": { "type": "remote", "url": "https://x.example.com", "headers": { "K": "{file:~/.secret}" } }
  }
}`,
    imported: {
      everything: {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-everything'],
        env: { KEY: '${MY_KEY:-}' },
      },
      jira: { url: 'https://jira.example.com/mcp', oauth: {}, disabled: true },
      context7: { url: 'https://mcp.context7.com/mcp', headers: { K: '${C7:-}' } },
    },
    skipped: [['secret', '{file:…}']],
  },
  {
    client: 'opencode',
    file: '.config/opencode/opencode.jsonc',
    text: `{
  "mcp": {
    // version 2
    "servers": {
      "a": { "type": "local", "command": ["a-mcp"], "cwd": "/x", "environment": { "LOG_LEVEL": "1" } },
      "b": { "type": "local", "command": ["b-mcp"], "disabled": true },
    },
  },
}`,
    imported: {
      a: { command: 'a-mcp', args: [], env: { LOG_LEVEL: '1' }, cwd: '/x' },
      b: { command: 'b-mcp', args: [], disabled: true },
    },
  },
  {
    client: 'lm-studio',
    file: '.lmstudio/mcp.json',
    text: `{ "mcpServers": { "hf": { "url": "https://huggingface.co/mcp", "headers": { "Authorization": "Bearer T" } } } }`,
    imported: {
      hf: { url: 'https://huggingface.co/mcp', headers: { Authorization: 'Bearer T' } },
    },
  },
  {
    client: 'cline',
    file: '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    text: `{
  "mcpServers": {
    "local": { "autoApprove": ["x"], "disabled": true, "timeout": 60, "type": "stdio", "command": "node", "args": ["/s.js"], "env": { "K": "v" } },
    "http": { "type": "streamableHttp", "url": "https://a.example.com/mcp", "headers": { "A": "b" } },
    "sse": { "url": "https://b.example.com/events", "transportType": "sse" },
    "old": { "url": "https://c.example.com/events" }
  }
}`,
    imported: {
      local: {
        command: 'node',
        args: ['/s.js'],
        env: { K: 'v' },
        timeout: 60_000,
        disabled: true,
      },
      http: { type: 'http', url: 'https://a.example.com/mcp', headers: { A: 'b' } },
      sse: { type: 'sse', url: 'https://b.example.com/events' },
      old: { type: 'sse', url: 'https://c.example.com/events' },
    },
  },
  {
    client: 'roo-code',
    file: '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
    text: `{
  "mcpServers": {
    "local": { "command": "node", "args": ["\${env:HOME}/s.js"], "alwaysAllow": ["x"], "disabled": false, "timeout": 300, "watchPaths": ["/s.js"], "disabledTools": ["rm"] },
    "remote": { "type": "streamable-http", "url": "https://a.example.com/mcp", "disabled": true }
  }
}`,
    imported: {
      local: {
        command: 'node',
        args: ['${env:HOME}/s.js'],
        timeout: 300_000,
        disabledTools: ['rm'],
      },
      remote: { type: 'streamable-http', url: 'https://a.example.com/mcp', disabled: true },
    },
  },
  {
    client: 'continue',
    file: '.continue/config.yaml',
    text: `name: Local Assistant
version: 1.0.0
schema: v1
mcpServers:
  - name: sqlite
    command: npx
    args:
      - -y
      - mcp-sqlite
      - /path/to/db
    connectionTimeout: 20000
  - name: remote
    type: streamable-http
    url: https://a.example.com/mcp
    requestOptions:
      headers:
        Authorization: Bearer T
  - name: secret
    type: sse
    url: https://b.example.com/sse
    requestOptions:
      headers:
        Authorization: Bearer \${{ secrets.B_KEY }}
`,
    imported: {
      sqlite: {
        command: 'npx',
        args: ['-y', 'mcp-sqlite', '/path/to/db'],
        toolsearch: { limits: { connectMs: 20_000 } },
      },
      remote: {
        type: 'streamable-http',
        url: 'https://a.example.com/mcp',
        headers: { Authorization: 'Bearer T' },
      },
    },
    skipped: [['secret', 'secrets.B_KEY']],
  },
  {
    client: 'continue',
    file: '.continue/mcpServers/playwright.yaml',
    text: `name: Playwright mcpServer
version: 0.0.1
schema: v1
mcpServers:
  - name: Browser search
    command: npx
    args: ["@playwright/mcp@latest"]
`,
    imported: { 'Browser search': { command: 'npx', args: ['@playwright/mcp@latest'] } },
  },
  {
    client: 'goose',
    file: '.config/goose/config.yaml',
    text: `GOOSE_PROVIDER: anthropic
extensions:
  developer:
    bundled: true
    enabled: true
    name: developer
    timeout: 300
    type: builtin
  todo:
    enabled: true
    type: platform
    name: todo
  fetch:
    args: [mcp-server-fetch]
    bundled: null
    cmd: uvx
    description: fetch pages
    enabled: true
    env_keys: []
    envs: { LOG: debug }
    name: fetch
    timeout: 120
    type: stdio
  github:
    cmd: github-mcp-server
    args: [stdio]
    enabled: false
    env_keys: [GITHUB_TOKEN]
    envs: {}
    name: GitHub
    type: stdio
  keyring:
    cmd: x
    enabled: true
    env_keys: [NOT_SET]
    name: keyring
    type: stdio
  remote:
    enabled: true
    type: streamable_http
    name: remote
    uri: https://a.example.com/mcp
    envs: { TOKEN: abc }
    headers: { Authorization: "Bearer \${TOKEN}" }
  old:
    enabled: true
    type: sse
    name: old
    uri: https://b.example.com/sse
`,
    env: { GITHUB_TOKEN: 't' },
    imported: {
      fetch: {
        command: 'uvx',
        args: ['mcp-server-fetch'],
        env: { LOG: 'debug' },
        timeout: 120_000,
      },
      github: {
        command: 'github-mcp-server',
        args: ['stdio'],
        env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' },
        disabled: true,
      },
      remote: {
        type: 'http',
        url: 'https://a.example.com/mcp',
        headers: { Authorization: 'Bearer abc' },
      },
      old: { type: 'sse', url: 'https://b.example.com/sse' },
    },
    skipped: [['keyring', 'NOT_SET']],
  },
  {
    client: 'kiro',
    file: '.kiro/settings/mcp.json',
    text: `{
  "mcpServers": {
    "local": { "command": "uvx", "args": ["x"], "env": { "A": "\${EXPANDED}" }, "disabled": true, "autoApprove": ["a"], "disabledTools": ["b"] },
    "remote": { "url": "https://a.example.com/mcp", "headers": { "Authorization": "Bearer \${TOKEN}" } }
  }
}`,
    imported: {
      local: {
        command: 'uvx',
        args: ['x'],
        env: { A: '${EXPANDED}' },
        disabled: true,
        autoApprove: ['a'],
        disabledTools: ['b'],
      },
      remote: {
        url: 'https://a.example.com/mcp',
        headers: { Authorization: 'Bearer ${TOKEN}' },
      },
    },
  },
  {
    client: 'jetbrains',
    file: '.junie/mcp/mcp.json',
    text: `{ "mcpServers": { "a": { "command": "a-mcp", "args": [] }, "b": { "command": "b-mcp", "enabled": false } } }`,
    imported: {
      a: { command: 'a-mcp', args: [] },
      b: { command: 'b-mcp', disabled: true },
    },
  },
]

const withEol = (text: string) => (text.endsWith('\n') ? text : `${text}\n`)

describe('every client', () => {
  it('has at least one case below', () => {
    const tested = new Set(CASES.map(({ client }) => client))
    expect(KNOWN_CLIENTS.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([])
  })

  it.each(CASES)('is imported from its own format: $client, $file', async (each) => {
    const at = machine({ [each.file]: each.text }, { HOME: '/home/me', ...each.env })
    const { found, servers, skipped, plan } = await importFrom(at)
    expect(new Set(found.map(({ client }) => client.id))).toEqual(new Set([each.client]))
    expect(found.flatMap(({ problems }) => problems)).toEqual([])
    expect(servers).toEqual(each.imported)
    expect(skipped.map(([name]) => name)).toEqual((each.skipped ?? []).map(([name]) => name))
    for (const [index, [, reason]] of (each.skipped ?? []).entries()) {
      expect(skipped[index]?.[1]).toContain(reason)
    }
    expect(parse(plan.text).$schema).toMatch(/config-schema\.json$/)
    expect(findClients(at).map(({ id }) => id)).toContain(each.client)
  })

  it.each(CASES)(
    'can be switched to the gateway and back: $client, $file',
    async ({ file: name, text, env = {} }) => {
      const before = withEol(text)
      const at = machine({ [name]: before }, { HOME: '/home/me', ...env })
      const { file, plan, found } = await importFrom(at)
      const { files, manual } = await planReplacement(plan, file)
      expect(manual).toEqual([])
      const changes = createFileChanges(join(at.home, 'state'))
      await writeImport(plan, { file, clientFiles: files, changes })
      const again = await importFrom(at)
      expect(again.plan.servers.map(({ outcome }) => outcome)).toContain('gateway')
      const left = again.found.flatMap(({ servers }) => servers.map((server) => server.name))
      const imported = plan.servers.flatMap((server) =>
        server.outcome === 'added' ? [server.found.name] : [],
      )
      expect(left.filter((server) => imported.includes(server))).toEqual([])
      await changes.undo()
      expect(readFileSync(join(at.home, name), 'utf8')).toBe(before)
      expect(found.length).toBeGreaterThan(0)
    },
  )

  it.each(KNOWN_CLIENTS)('has a snippet that it understands: $label', async (client) => {
    const at = machine({})
    const place = client.files(at)[0]!
    const program = gatewayProgram('/x/toolsearch.json')
    const snippet = snippetForClient(client, place.file, program)!
    mkdirSync(dirname(place.file), { recursive: true })
    writeFileSync(place.file, snippet)
    const { plan } = await importFrom(at)
    expect(plan.servers.map(({ found, outcome }) => [found.name, outcome])).toEqual([
      ['toolsearch', 'gateway'],
    ])
    const url = 'http://127.0.0.1:7777/mcp'
    const remote = snippetForClient(client, place.file, { url })
    if (client.id === 'claude-desktop') expect(remote).toBeUndefined()
    else expect(remote).toContain(url)
  })

  it.each([
    ['mcp', '{ "mcp": { "mine": { "type": "local", "command": ["x"] } } }'],
    ['mcp.servers', '{ "mcp": { "servers": { "mine": { "type": "local", "command": ["x"] } } } }'],
  ])('has a snippet with the servers under %s, as in the file', (path, existing) => {
    const client = KNOWN_CLIENTS.find(({ id }) => id === 'opencode')!
    const program = { command: 'toolsearch', args: ['serve'] }
    const snippet = JSON.parse(snippetForClient(client, 'opencode.json', program, existing)!)
    const { toolsearch } = path === 'mcp' ? snippet.mcp : snippet.mcp.servers
    expect(toolsearch).toEqual({ type: 'local', command: ['toolsearch', 'serve'] })
  })

  it('has a snippet for an inline table that is valid TOML inside it', () => {
    const client = KNOWN_CLIENTS.find(({ id }) => id === 'codex')!
    const program = { command: 'C:\\a "b"', args: ['serve', '-c', 'x'] }
    const before = 'mcp_servers = { a = { command = "a" } }\nmodel = "x"\n'
    const snippet = snippetForClient(client, 'config.toml', program, before)!
    const [comment, entry] = snippet.split('\n')
    expect(comment).toBe('# inside mcp_servers = { … }, separated from other entries by commas')
    const after = before.replace(' }\n', `, ${entry} }\n`)
    expect(parseClientFile(after, 'config.toml')).toEqual({
      content: { mcp_servers: { a: { command: 'a' }, toolsearch: program }, model: 'x' },
    })
    const tables = '[mcp_servers.a]\ncommand = "a"\n'
    expect(snippetForClient(client, 'config.toml', program, tables)).toContain(
      '[mcp_servers.toolsearch]\n',
    )
  })

  it.each(KNOWN_CLIENTS)('has its entry in docs/clients.md: $label', (client) => {
    const { file } = client.files({ home: '~', platform: 'linux', env: {}, cwd: '.' })[0]!
    const snippet = snippetForClient(client, file, { command: 'toolsearch', args: ['serve'] })!
    const wanted = parseClientFile(snippet, file)
    const samples = join(import.meta.dirname, '../../../../docs/samples/clients')
    const contents = readdirSync(samples).map((name) =>
      parseClientFile(readFileSync(join(samples, name), 'utf8'), name),
    )
    expect(contents).toContainEqual(wanted)
    const page = readFileSync(join(samples, '../../clients.md'), 'utf8')
    expect(page).toContain(client.label.replace(/ \(.*/, ''))
  })

  it('has its files where it stores them on macOS and Windows', () => {
    const files = (platform: NodeJS.Platform) =>
      Object.fromEntries(
        KNOWN_CLIENTS.map(({ id, files }) => [
          id,
          files({ home: '~', platform, env: {}, cwd: '.' }).map(({ file }) => file)[0],
        ]),
      )
    const mac = '~/Library/Application Support'
    const windows = '~/AppData/Roaming'
    const same = {
      'claude-code': '~/.claude.json',
      cursor: '~/.cursor/mcp.json',
      windsurf: '~/.codeium/windsurf/mcp_config.json',
      codex: '~/.codex/config.toml',
      'gemini-cli': '~/.gemini/settings.json',
      opencode: '~/.config/opencode/opencode.json',
      'lm-studio': '~/.lmstudio/mcp.json',
      continue: '~/.continue/config.yaml',
      kiro: '~/.kiro/settings/mcp.json',
      jetbrains: '~/.junie/mcp/mcp.json',
    }
    const cline = 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'
    const roo = 'Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'
    expect(files('darwin')).toEqual({
      ...same,
      'claude-desktop': `${mac}/Claude/claude_desktop_config.json`,
      vscode: `${mac}/Code/User/mcp.json`,
      zed: '~/.config/zed/settings.json',
      cline: `${mac}/${cline}`,
      'roo-code': `${mac}/${roo}`,
      goose: '~/.config/goose/config.yaml',
    })
    expect(files('win32')).toEqual({
      ...same,
      'claude-desktop': `${windows}/Claude/claude_desktop_config.json`,
      vscode: `${windows}/Code/User/mcp.json`,
      zed: `${windows}/Zed/settings.json`,
      cline: `${windows}/${cline}`,
      'roo-code': `${windows}/${roo}`,
      goose: `${windows}/Block/goose/config/config.yaml`,
    })
  })

  it('keeps servers of a project disabled that are turned off in other files', async () => {
    const at = machine({
      'work/.mcp.json':
        '{ "mcpServers": { "a": { "command": "a" }, "b": { "command": "b" }, "c": { "command": "c" } } }',
      'work/.claude/settings.local.json': '{ "disabledMcpjsonServers": ["b"] }',
    })
    const projects = { [at.cwd]: { disabledMcpjsonServers: ['a'] } }
    writeFileSync(join(at.home, '.claude.json'), JSON.stringify({ projects }))
    const { servers } = await importFrom(at)
    expect(servers).toMatchObject({ a: { disabled: true }, b: { disabled: true } })
    expect(servers.c).not.toHaveProperty('disabled')
  })

  it('is named if its file is seen but not understood', async () => {
    const at = machine({
      '.codex/config.toml': '[mcp_servers.a]\ncommand = \n',
      '.config/goose/config.yaml': 'extensions:\n  a: [\n',
      '.config/JetBrains/IntelliJIdea2026.2/options/llm.mcpServers.xml': '<application/>',
      '.kiro/settings/mcp.json': '{ "mcpServers": "x" }',
    })
    const problems = (await findClientConfigs(at)).flatMap((found) =>
      found.problems.map(({ line, message }) => [found.client.id, line, message]),
    )
    expect(problems).toEqual([
      ['codex', 2, 'This is not valid TOML.'],
      ['goose', 3, 'This is not valid YAML.'],
      ['kiro', 1, '"mcpServers" must be an object.'],
      ['jetbrains', 1, 'This format is not supported.'],
    ])
  })

  it('that limits the tools of a server keeps the limits', () => {
    const convert = (id: string, entry: Record<string, unknown>) =>
      KNOWN_CLIENTS.find((client) => client.id === id)?.convert?.(entry, { name: 'a', env: {} })
    const command = 'x'
    const entry = { command, toolsearch: { allow: ['a'] } }
    expect(convert('codex', { command, enabled_tools: ['a'] })).toEqual({ entry })
    expect(convert('gemini-cli', { command, includeTools: ['a'] })).toEqual({ entry })
    expect(convert('goose', { type: 'stdio', cmd: 'x', available_tools: ['a'] })).toEqual({
      entry,
    })
  })
})

describe('replaceInClient', () => {
  const entry = { command: 'toolsearch', args: ['serve'] }
  const replace = (file: string, path: string[], text: string, ...remove: string[]) =>
    replaceInClient(text, file, { path, remove: new Set(remove), name: 'toolsearch', entry })

  it('keeps the comments and other tables of TOML', () => {
    const before = `# mine
model = "gpt-5" # best

[mcp_servers.a]
command = "a" # starts a
[mcp_servers.a.env]
K = "v"

# stays
[mcp_servers.b]
command = "b"

[mcp_servers."c d"]
command = "c"

[profiles.x]
model = "o3"
`
    expect(replace('config.toml', ['mcp_servers'], before, 'a', 'c d')).toBe(`# mine
model = "gpt-5" # best

[mcp_servers.toolsearch]
command = "toolsearch"
args = [ "serve" ]

# stays
[mcp_servers.b]
command = "b"


[profiles.x]
model = "o3"
`)
  })

  it.each([
    ['inline tables', 'mcp_servers = { a = { command = "a" } }\n'],
    ['dotted keys', '[mcp_servers]\na.command = "a"\n'],
    ['arrays over several lines', '[mcp_servers.a]\nargs = [\n["x"],\n]\n'],
  ])('does not edit TOML with %s', (_, text) => {
    expect(replace('config.toml', ['mcp_servers'], text, 'a')).toBeUndefined()
  })

  it('keeps the comments and formatting of YAML', () => {
    const before = `# mine
mcpServers: # all
    # about a
    - name: a
      command: a   # starts a
    # about b
    -   name: "b"
        command: b
    - name: c
      command: c
models: [ {name: x} ]
`
    expect(replace('config.yaml', ['mcpServers'], before, 'a', 'c')).toBe(`# mine
mcpServers: # all
    # about a
    - name: toolsearch
      command: toolsearch
      args:
        - serve
    # about b
    -   name: "b"
        command: b
models: [ {name: x} ]
`)
    const extensions = `extensions:
  a:
    cmd: a
  # about b
  b: { cmd: b }
GOOSE_MODE: auto
`
    expect(replace('config.yaml', ['extensions'], extensions, 'a')).toBe(`extensions:
  toolsearch:
    command: toolsearch
    args:
      - serve
  # about b
  b: { cmd: b }
GOOSE_MODE: auto
`)
  })

  it.each([
    ['a flow mapping', 'mcpServers: { a: { command: a } }\n'],
    ['several servers on one line', 'mcpServers: [ { name: a }, { name: b } ]\n'],
    ['an anchor in use elsewhere', 'mcpServers:\n  a: &x\n    k: v\n  b: *x\n'],
  ])('does not edit YAML with %s', (_, text) => {
    expect(replace('config.yaml', ['mcpServers'], text, 'a')).toBeUndefined()
  })
})
