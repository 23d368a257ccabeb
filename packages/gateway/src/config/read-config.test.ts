import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatProblem } from './config-problem.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { type ReadConfigResult, readConfig } from './read-config.ts'

const file = 'servers.json'

function read(text: string, env: Record<string, string> = {}): ReadConfigResult {
  return readConfig(text, { file, env })
}

function configOf(text: string, env: Record<string, string> = {}): GatewayConfig {
  const result = read(text, env)
  if ('problems' in result) throw new Error(result.problems.map(formatProblem).join('\n'))
  return result.config
}

function problemsOf(text: string, env: Record<string, string> = {}): string[] {
  const result = read(text, env)
  return 'problems' in result ? result.problems.map(formatProblem) : []
}

const DEFAULTS = {
  connectMs: 10_000,
  firstConnectMs: 60_000,
  callMs: 30_000,
  resultChars: 100_000,
  messageBytes: 16 * 1024 * 1024,
}

describe('readConfig', () => {
  it('fills in every default', () => {
    expect(configOf('{ "mcpServers": { "git": { "command": "uvx" } } }')).toEqual({
      servers: [
        {
          name: 'git',
          connection: { kind: 'stdio', command: 'uvx', args: [], env: {} },
          alwaysLoad: false,
          prefix: true,
          disabledTools: [],
          deny: [],
          readOnly: false,
          hints: {},
          overrides: {},
          limits: DEFAULTS,
          credentials: { kind: 'shared' },
          disabled: false,
        },
      ],
      mode: 'search',
      callTools: 'by-effect',
      deny: [],
      readOnly: false,
      skills: [],
      pins: [],
      limits: DEFAULTS,
      ranking: 'words-and-meaning',
      translateQueries: true,
      learning: 'off',
      approve: 'off',
      shortcut: true,
      taskSeconds: 30,
      history: 'on',
      historyDays: 30,
      historyMegabytes: 50,
      profiles: {},
      rateLimits: [],
      state: { redisPrefix: 'toolsearch:' },
    })
  })

  it('waits longer for a first connection, unless the limit is configured', () => {
    const { servers } = configOf(`{
      "mcpServers": {
        "a": { "command": "x", "toolsearch": { "limits": { "connectMs": 7 } } },
        "b": { "command": "x" }
      }
    }`)
    expect(servers.map(({ limits }) => limits.firstConnectMs)).toEqual([7, 60_000])
  })

  it('marks the servers with problems if the others can be served', () => {
    const text = `{
      "mcpServers": {
        "good": { "command": "x" },
        "unset": { "command": "x", "env": { "KEY": "\${NOT_SET}" } },
        "header": { "url": "https://x.dev/", "headers": { "X-A": "a\\nb" } },
        "typo": { "comand": "x" }
      }
    }`
    const result = read(text)
    const { problems, usable } = 'problems' in result ? result : { problems: [], usable: undefined }
    expect(problems.map(({ server }) => server)).toEqual(['unset', 'header', 'typo', 'typo'])
    const marked = usable?.servers.map((server) => [server.name, server.problems?.length ?? 0])
    expect(marked).toEqual([
      ['good', 0],
      ['unset', 1],
      ['header', 1],
      ['typo', 2],
    ])
  })

  it.each([
    ['no other server can be served', '{ "mcpServers": { "a": { "comand": "x" } } }'],
    [
      'the others are disabled',
      '{ "mcpServers": { "a": { "comand": "x" }, "b": { "command": "x", "disabled": true } } }',
    ],
    [
      'a problem concerns the whole file',
      '{ "mcpServers": { "a": { "comand": "x" }, "b": { "command": "x" } }, "toolsearch": { "mod": 1 } }',
    ],
    ['an entry is not an object', '{ "mcpServers": { "a": 5, "b": { "command": "x" } } }'],
  ])('has no usable configuration if %s', (_, text) => {
    const result = read(text)
    expect('problems' in result && result.usable).toBeUndefined()
  })

  it('reports a server that starts this gateway itself, unless it serves another file', () => {
    const entry = (...args: string[]) => ({ command: 'toolsearch', args: ['serve', ...args] })
    const files = { command: 'files' }
    const text = (toolsearch: object) => JSON.stringify({ mcpServers: { files, toolsearch } })
    for (const args of [[], ['--config', file], [`--config=${file}`]]) {
      const result = read(text(entry(...args)))
      expect(result).toMatchObject({
        problems: [
          { message: 'Server "toolsearch" starts this gateway itself.', fix: 'Remove it.' },
        ],
        usable: { servers: [{ name: 'files' }, { name: 'toolsearch', problems: [{}] }] },
      })
    }
    expect(read(text(entry('--config', '/other.json')))).toHaveProperty('config')
  })

  it('reads what a server is for', () => {
    const text =
      '{ "mcpServers": { "a": { "command": "x", "toolsearch": { "description": "our wiki" } } } }'
    expect(configOf(text).servers[0]?.description).toBe('our wiki')
  })

  it("prefers a server's own limits over its timeout, and its timeout over the gateway's limits", () => {
    const { servers } = configOf(`{
      "mcpServers": {
        "a": { "command": "x", "timeout": 5000, "toolsearch": { "limits": { "callMs": 7 } } },
        "b": { "command": "x", "timeout": 5000 },
        "c": { "command": "x" }
      },
      "toolsearch": { "limits": { "callMs": 9, "connectMs": 8 } }
    }`)
    expect(servers.map(({ limits }) => limits.callMs)).toEqual([7, 5000, 9])
    expect(servers.map(({ limits }) => limits.connectMs)).toEqual([8, 8, 8])
  })

  it('uses the SSE transport for a path that ends in /sse, unless a type is given', () => {
    const { servers } = configOf(`{ "mcpServers": {
      "a": { "url": "https://x.dev/sse" },
      "b": { "url": "https://x.dev/sse", "type": "http" },
      "c": { "url": "https://x.dev/mcp" }
    } }`)
    expect(servers.map(({ connection }) => connection.kind)).toEqual(['sse', 'http', 'http'])
  })

  it('resolves a relative cwd against the folder of the file', () => {
    const { servers } = configOf('{ "servers": { "a": { "command": "x", "cwd": "sub" } } }')
    expect(servers[0]?.connection).toMatchObject({ cwd: resolve('sub') })
  })

  it('keeps the names in disabledTools apart from the rules in deny', () => {
    const { servers, ...gateway } = configOf(
      '{ "mcpServers": { "a": { "command": "x", "disabledTools": ["p"], "toolsearch": { "allow": [], "deny": ["p", "q"], "readOnly": true } } }, "toolsearch": { "allow": ["read"] } }',
    )
    expect(servers[0]).toMatchObject({
      disabledTools: ['p'],
      allow: [],
      deny: ['p', 'q'],
      readOnly: true,
    })
    expect(gateway).toMatchObject({ allow: ['read'], deny: [], readOnly: false })
  })

  it('reads overrides as they are written, without expanding variables', () => {
    const override = {
      name: 'pay',
      description: 'Pays ${AMOUNT}',
      annotations: { readOnlyHint: false },
      parameters: { tenant: { value: null }, options: { value: { deep: ['${X}', 1] } } },
    }
    const settings = { overrides: { transfer_money: override, constructor: { title: 'T' } } }
    const { servers } = configOf(
      JSON.stringify({ mcpServers: { a: { command: 'x', toolsearch: settings } } }),
    )
    expect(servers[0]?.overrides).toEqual(settings.overrides)
  })

  it('reports invalid rules and overrides with their positions', () => {
    expect(
      problemsOf(`{
  "mcpServers": { "a": { "command": "x", "toolsearch": {
    "deny": ["", "x"],
    "overrides": {
      "send": {
        "name": "send it",
        "annotations": { "readOnly": true },
        "parameters": { "to": "Anna", "cc": {} }
      }
    }
  } } }
}`),
    ).toEqual([
      'servers.json:3:14 Item 1 in "toolsearch.deny" of server "a" is empty.\n  Remove it.',
      'servers.json:6:17 "toolsearch.overrides.send.name" of server "a" cannot be "send it".\n  Write 1 to 64 letters, digits, "_", "-" or ".".',
      'servers.json:7:26 Unknown key "readOnly" in "toolsearch.overrides.send.annotations" of server "a".\n  Remove it.',
      'servers.json:8:31 "toolsearch.overrides.send.parameters.to" of server "a" must be an object.\n  Write { … }.',
      'servers.json:8:39 "cc" in "toolsearch.overrides.send.parameters" of server "a" has no value.\n  Write { "value": … }, which every call sends.',
    ])
  })

  it('rejects two servers without a prefix only if both are enabled', () => {
    const bare = (name: string, more = '') =>
      `"${name}": { "command": "x"${more}, "toolsearch": { "prefix": false } }`
    const unused = bare('b', ', "disabled": true')
    expect(configOf(`{ "mcpServers": { ${bare('a')}, ${unused} } }`).servers[0]?.prefix).toBe(false)
    expect(problemsOf(`{ "mcpServers": { ${bare('a')}, ${bare('b')} } }`)).toEqual([
      'servers.json:1:79 Servers "a" and "b" both have no prefix, so their tools could have the same names.\n  Keep "prefix": false for one of them only.',
    ])
  })

  it('reports invalid OAuth settings with their positions', () => {
    const text = `{ "mcpServers": { "a": { "url": "https://x.dev/mcp", "oauth": {
      "grant": "client_credentials",
      "clientId": "",
      "clientSecret": "\${SECRET}",
      "scopes": ["a"]
    } } } }`
    expect(problemsOf(text)).toMatchInlineSnapshot(`
      [
        "servers.json:5:7 "scopes" is not a valid key in "oauth" of server "a".
        Rename it to "scope" and write one string with spaces between the scopes.",
        "servers.json:2:16 "oauth" of server "a" has no issuer, which client_credentials requires.
        Add "issuer": "https://…", the authorization server that may receive the secret.",
        "servers.json:3:19 "oauth.clientId" of server "a" is empty.
        Remove it, or write a value.",
        "servers.json:4:23 "oauth.clientSecret" of server "a" needs the environment variable SECRET, which is not set.
        Set SECRET, or write \${SECRET:-default}.",
      ]
    `)
  })

  it('expands variables', () => {
    const text = JSON.stringify({
      mcpServers: {
        a: {
          command: '${BIN}',
          args: ['${env:A}/${B:-b}', '$${A}', '${EMPTY}${EMPTY:-e}'],
          env: { K: '${A}' },
        },
      },
    })
    expect(configOf(text, { BIN: 'node', A: 'a', EMPTY: '' }).servers[0]?.connection).toEqual({
      kind: 'stdio',
      command: 'node',
      args: ['a/b', '${A}', 'e'],
      env: { K: 'a' },
    })
  })

  it('expands variables and the home folder in folders of skills', () => {
    const skills = ['~/.claude/skills', '~', '${TEAM}/skills', './skills', 'a/~/b', '~ann']
    const text = JSON.stringify({ mcpServers: {}, toolsearch: { skills } })
    const home = resolve('home')
    expect(configOf(text, { HOME: home, TEAM: resolve('team') }).skills).toEqual([
      join(home, '.claude', 'skills'),
      home,
      resolve('team', 'skills'),
      resolve('skills'),
      resolve('a', '~', 'b'),
      resolve('~ann'),
    ])
    expect(
      problemsOf('{ "mcpServers": {}, "toolsearch": { "skills": ["${NOT_SET}/x"] } }'),
    ).toEqual([expect.stringContaining('needs the environment variable NOT_SET, which is not set')])
  })

  it('does not expand variables in the value of a variable', () => {
    const text = '{ "mcpServers": { "a": { "command": "x", "args": ["${A}"] } } }'
    expect(configOf(text, { A: '${B}' }).servers[0]?.connection).toMatchObject({ args: ['${B}'] })
  })

  it('keeps an environment variable named __proto__', () => {
    const { servers } = configOf(
      '{ "mcpServers": { "a": { "command": "x", "env": { "__proto__": "y" } } } }',
    )
    expect(Object.entries((servers[0]!.connection as { env: object }).env)).toEqual([
      ['__proto__', 'y'],
    ])
  })

  it('counts columns without the byte order mark', () => {
    expect(problemsOf('\uFEFF{ "x": 1, "mcpServers": { "a": { "command": "x" } } }')).toEqual([
      'servers.json:1:3 Unknown key "x" in the file.\n  Remove it.',
    ])
  })

  it('reports all problems at once', () => {
    const text =
      '{ "mcpServers": {\n "a": { "comand": "x" },\n "b": { "url": 1, "typ": "http" } } }'
    expect(problemsOf(text)).toMatchInlineSnapshot(`
      [
        "servers.json:2:9 Unknown key "comand" in server "a".
        Did you mean "command"?",
        "servers.json:2:2 Server "a" has no command.
        Add "command": "npx" with "args", or "url" for a remote server.",
        "servers.json:3:19 Unknown key "typ" in server "b".
        Did you mean "type"?",
        "servers.json:3:16 "url" of server "b" must be a string.
        Put it in double quotes.",
      ]
    `)
  })

  it.each([
    ['an unset variable', '{ "mcpServers": { "a": { "command": "x", "args": ["${KEY}"] } } }'],
    [
      'a VS Code input',
      '{ "mcpServers": { "a": { "command": "x", "args": ["${input:api-key}"] } } }',
    ],
    [
      'two names with the same prefix',
      '{ "mcpServers": { "a b": { "command": "x" }, "a_b": { "command": "x" } } }',
    ],
    [
      'arguments in a command',
      '{ "mcpServers": { "a": { "command": "npx -y thing --key hunter2" } } }',
    ],
    ['a timeout in seconds', '{ "mcpServers": { "a": { "command": "x", "timeout": 60 } } }'],
    [
      'a mistyped mode',
      '{ "mcpServers": { "a": { "command": "x" } }, "toolsearch": { "mode": "serach" } }',
    ],
    [
      'a mistyped pin',
      '{ "mcpServers": { "github": { "command": "x" } }, "toolsearch": { "pins": ["githbu/x"] } }',
    ],
    ['a setting at the top level', '{ "mcpServers": { "a": { "command": "x" } }, "mode": "auto" }'],
    ['a missing comma', '{ "mcpServers": { "a": { "command": "x" "args": [] } } }'],
    ['an unescaped backslash', '{ "mcpServers": { "a": { "command": "C:\\x" } } }'],
    ['an empty file', ''],
    ['an array instead of an object', '[]'],
    ['a file without servers', '{}'],
    ['a UTF-16 file', '\uFFFD\uFFFD{\0"\0'],
    ['deep nesting', '['.repeat(200_000)],
    ['a huge file', ' '.repeat(1_000_001)],
  ])('suggests a fix for %s', (_, text) => {
    expect(problemsOf(text).join('\n')).toMatchSnapshot()
  })

  it('never includes a secret in a problem', () => {
    const text = JSON.stringify({
      mcpServers: {
        a: {
          command: 'npx --key hunter2',
          env: { A: { hunter2: true }, B: '${hunter2', C: ['hunter2'] },
        },
        b: { url: 'hunter2://x', headers: { A: 'hunter2\n', B: 2 }, args: ['hunter2'] },
      },
    })
    expect(problemsOf(text).length).toBeGreaterThan(5)
    expect(problemsOf(text).join('\n')).not.toContain('hunter2')
  })

  it.each([
    ['commas', ','.repeat(900_000)],
    ['brackets that close nothing', `{${'[}'.repeat(400_000)}`],
    ['unknown keys', `{${Array.from({ length: 6_000 }, (_, i) => `"k${i}":1`).join()}}`],
    ['servers', `{"mcpServers":{${Array.from({ length: 4_000 }, (_, i) => `"s${i}":{}`).join()}}}`],
    [
      'pins',
      `{"mcpServers":{"a":{"command":"x"}},"toolsearch":{"pins":[${'"///////",'.repeat(80_000)}]}}`,
    ],
    ['dollars', `{"mcpServers":{"a":{"command":"${'$'.repeat(900_000)}"}}}`],
    ['variables', `{"mcpServers":{"a":{"command":"${'${A}'.repeat(200_000)}"}}}`],
    ['open comments', '/*'.repeat(400_000)],
    ['line breaks', '\n'.repeat(900_000)],
  ])('finishes with a limited number of problems for a file full of %s', (_, text) => {
    const result = read(text, { A: 'x'.repeat(100_000) })
    expect('problems' in result ? result.problems.length : 0).toBeLessThanOrEqual(101)
  })
})
