import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from './read-config.ts'
import { redact, redactEntry } from './redact.ts'
import { redactArgs, redactUrl } from './redact-text.ts'

describe('redact', () => {
  it('shows names and hides values', () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: 'npx', args: ['-y', 'thing', '--token', 'hunter2'], env: { KEY: 'hunter2' } },
        b: { url: 'https://me:hunter2@x.dev/mcp?key=hunter2', headers: { 'X-Key': 'hunter2' } },
        c: { url: 'https://x.dev/mcp', oauth: { clientId: 'me', clientSecret: 'hunter2' } },
      },
    })
    const result = readConfig(text, { file: 'x.json', env: {} })
    if (!('config' in result)) throw new Error('must be read')
    const shown = redact(result.config)
    expect(inspect(shown, { depth: 9 })).not.toContain('hunter2')
    expect(shown.servers.map(({ connection }) => connection)).toEqual([
      {
        kind: 'stdio',
        command: 'npx',
        args: ['-y', 'thing', '--token', '***'],
        env: { KEY: '***' },
      },
      { kind: 'http', url: 'https://***@x.dev/mcp?key=***', headers: { 'X-Key': '***' } },
      {
        kind: 'http',
        url: 'https://x.dev/mcp',
        headers: {},
        oauth: { grant: 'authorization_code', clientId: 'me', clientSecret: '***' },
      },
    ])
  })
})

describe('redactUrl', () => {
  it.each([
    ['https://x.dev/mcp', 'https://x.dev/mcp'],
    ['http://localhost:3000/sse', 'http://localhost:3000/sse'],
    ['http://[::1]:3000/sse', 'http://[::1]:3000/sse'],
    ['https://hunter2@x.dev/', 'https://***@x.dev/'],
    ['postgres://me:p@ss@x.dev/db', 'postgres://***@x.dev/db'],
    ['postgres://me:hun/ter2@x.dev/db', 'postgres://***@x.dev/db'],
    ['postgres://me:hun?ter2@x.dev/db', 'postgres://***?***'],
    ['https://x.dev/?a=hunter2&hunter2#hunter2', 'https://x.dev/?a=***&***#***'],
    ['https://x.dev/a1b2c3d4e5f6a7b8c9d0e1f2/sse', 'https://x.dev/***/sse'],
    ['${HOST}/mcp', '***'],
  ])('%s is shown as %s', (url, shown) => {
    expect(redactUrl(url)).toBe(shown)
  })
})

describe('redactArgs', () => {
  it.each([
    [['-y', '@modelcontextprotocol/server-filesystem@2026.8.31', '/home/me/work'], undefined],
    [['--from', 'git+https://github.com/a/b', 'mcp-server-for-project-2024-edition'], undefined],
    [['--port', '8080', '--verbose', '--mode=stdio'], undefined],
    [['--api-key=hunter2'], ['--api-key=***']],
    [
      ['--api-key', 'hunter2'],
      ['--api-key', '***'],
    ],
    [['--api-key', '${KEY}'], undefined],
    [
      ['run', '-e', 'GITHUB_TOKEN=hunter2', 'image'],
      ['run', '-e', 'GITHUB_TOKEN=***', 'image'],
    ],
    [['run', '-e', 'GITHUB_TOKEN', 'image'], undefined],
    [
      ['--header', 'Authorization: Bearer hunter2'],
      ['--header', 'Authorization: ***'],
    ],
    [
      ['--header', 'X-Custom:hunter2'],
      ['--header', 'X-Custom:***'],
    ],
    [['sk-hunter2hunter2'], ['***']],
    [['ghp_0123456789abcdef0123456789abcdef0123'], ['***']],
    [['postgresql://me:hunter2@localhost/db'], ['postgresql://***@localhost/db']],
    [['--db=postgresql://me:hunter2@localhost/db'], ['--db=postgresql://***@localhost/db']],
    [
      ['-c', 'TOKEN=hunter2 node x.js'],
      ['-c', 'TOKEN=***'],
    ],
    [
      ['-c', 'node x.js --key hunter2 -v'],
      ['-c', 'node x.js --key *** -v'],
    ],
  ])('%j', (args, shown) => {
    expect(redactArgs(args)).toEqual(shown ?? args)
  })
})

describe('redactEntry', () => {
  it('keeps references and hides what it does not know', () => {
    expect(
      redactEntry({
        command: 'x',
        args: ['--key', 'hunter2'],
        env: { A: '${A}', B: 'hunter2', C: 5 },
        headers: { Authorization: 'Bearer ${T}', Other: 'Bearer ${T:-hunter2}' },
        auth: { CLIENT_SECRET: 'hunter2' },
        disabled: true,
      }),
    ).toEqual({
      command: 'x',
      args: ['--key', '***'],
      env: { A: '${A}', B: '***', C: '***' },
      headers: { Authorization: 'Bearer ${T}', Other: '***' },
      auth: { CLIENT_SECRET: '***' },
      disabled: true,
    })
  })
})
