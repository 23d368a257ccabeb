import { describe, expect, it } from 'vitest'
import { redactArgs, redactUrl } from './redact.ts'

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
  ])('redacts %s as %s', (url, shown) => {
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
    [['--api-key', '${KEY:-}'], undefined],
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
  ])('hides only the secrets in %j', (args, shown) => {
    expect(redactArgs(args)).toEqual(shown ?? args)
  })
})
