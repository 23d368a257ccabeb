import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { registerGateway } from '../system/running-gateways.ts'
import { runHere } from './run-here.fixtures.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-edit-'))

const existing = `{
  // mine
  "mcpServers": {
    "git": { "command": "uvx", "args": ["mcp-server-git"] }, // version control
    "files": {
      "command": "npx",
      "disabled": true // for now
    }
  }
}
`

function setUp(text: string | undefined = existing) {
  const folder = mkdtempSync(join(root, 'one-'))
  const file = join(folder, 'my.json')
  if (text !== undefined) writeFileSync(file, text)
  const env = { XDG_CONFIG_HOME: join(folder, 'config'), TOOLSEARCH_CACHE: join(folder, 'state') }
  const run = (...line: string[]) => runHere(line, { env, cwd: folder })
  return { folder, file, env, run, read: () => readFileSync(file, 'utf8') }
}

describe('toolsearch add', () => {
  it('adds a command, with comments kept', async () => {
    const { run, file, read } = setUp()
    const { code, out, err } = await run(
      ...['add', 'web', '-c', file, '--env', 'A=1', '-e', 'B=x=y', '--', 'npx', '-y', 'web-mcp'],
    )
    expect(code).toBe(0)
    expect(out).toBe(`Added web to ${file}.\n`)
    const shown = /^[\w./-]+$/.test(file) ? file : JSON.stringify(file)
    expect(err).toContain(`doctor --config ${shown}`)
    expect(err).toContain('undo')
    expect(read()).toBe(
      existing.replace(
        '    }\n  }\n}',
        '    },\n    "web": {\n      "command": "npx",\n      "args": [\n        "-y",\n        "web-mcp"\n      ],\n      "env": {\n        "A": "1",\n        "B": "x=y"\n      }\n    }\n  }\n}',
      ),
    )
    expect((await run('undo')).code).toBe(0)
    expect(read()).toBe(existing)
  })

  it('adds a URL, and creates the file with its schema if there is none', async () => {
    const { run, env } = setUp(undefined)
    const { code, out, err } = await run(
      ...['add', 'linear', 'https://mcp.linear.app/sse', '--transport', 'sse', '-H', 'X-A: b: c'],
    )
    const file = join(env.XDG_CONFIG_HOME, 'toolsearch', 'toolsearch.json')
    expect(code).toBe(0)
    expect(out).toBe(`Added linear to ${file} (new file).\n`)
    expect(err).toContain('sign-in linear')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      $schema: expect.stringMatching(/config-schema\.json$/),
      mcpServers: {
        linear: { type: 'sse', url: 'https://mcp.linear.app/sse', headers: { 'X-A': 'b: c' } },
      },
    })
  })

  it.each([
    [['web'], 'Specify a name, and a command after "--" or a URL.'],
    [['git', 'https://x.example.com'], 'already has a server "git"'],
    [['GIT', 'https://x.example.com'], 'already has a server "git"'],
    [['!', 'https://x.example.com'], 'name'],
    [['web', 'https://'], 'URL'],
    [['web', 'https://x.example.com', '--env', 'A=1'], 'Use --header.'],
    [['web', 'https://x.example.com', '--header', 'A'], "write 'Key: value'"],
    [['web', 'https://x.example.com', '--transport', 'ws'], 'use http or sse'],
    [['web', '--header', 'A: b', '--', 'x'], 'Use --env.'],
    [['web', '--env', '=x', '--', 'x'], 'write KEY=VALUE'],
    [['web', 'npx -y web-mcp'], 'contains arguments'],
    [['web', 'htps://mcp.linear.app/mcp'], 'Did you mean https://mcp.linear.app/mcp?'],
    [['web', 'https:/mcp.linear.app/mcp'], 'Did you mean https://mcp.linear.app/mcp?'],
    [['web', 'mcp.linear.app/mcp'], 'Did you mean https://mcp.linear.app/mcp?'],
    [['web', 'mcp.linear.app'], 'Did you mean https://mcp.linear.app?'],
    [['web', 'localhost:3000/mcp'], 'Did you mean http://localhost:3000/mcp?'],
    [['web', '[::1]:3000'], 'To run a program with this name, put -- before it.'],
    [['web', 'mcp.linear.app/mcp', '-H', 'A: b'], 'Did you mean https://mcp.linear.app/mcp?'],
    [['web', 'https://x.example.com', 'more'], 'A URL takes no arguments: remove "more".'],
  ])('refuses %j and writes nothing', async (args, message) => {
    const { run, file, read } = setUp()
    const { code, err } = await run('add', '-c', file, ...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(read()).toBe(existing)
  })

  it.each([
    ['after "--"', ['--', 'mcp.linear.app/mcp']],
    ['as a path', ['./mcp.linear.app/mcp']],
    ['as a script', ['server.py']],
    ['on a drive', ['C:/tools/server.exe']],
    ['as a package name', ['@scope/server.js']],
    ['with arguments', ['my.tools/run', 'stdio']],
  ])('takes a name that resembles a host for a program %s', async (_, target) => {
    const { run, file, read } = setUp()
    expect(await run('add', '-c', file, 'web', ...target)).toMatchObject({ code: 0 })
    const command = target.find((word) => word !== '--')
    expect(read()).toContain(`"command": "${command}"`)
  })
})

describe('toolsearch remove, enable and disable', () => {
  it('remove takes out one server and nothing else', async () => {
    const { run, file, read } = setUp()
    expect((await run('remove', 'files', '-c', file)).out).toBe(`Removed files from ${file}.\n`)
    expect(read()).toBe(`{
  // mine
  "mcpServers": {
    "git": { "command": "uvx", "args": ["mcp-server-git"] } // version control
  }
}
`)
    expect((await run('remove', 'git', '-c', file)).err).toContain('no servers left')
  })

  it('disable and enable change one property', async () => {
    const { run, file, read } = setUp()
    const { out } = await run('disable', 'git', '-c', file)
    expect(out).toBe(`git is now disabled in ${file}.\n`)
    expect(read()).toBe(
      existing.replace('["mcp-server-git"] }', '["mcp-server-git"], "disabled": true }'),
    )
    expect((await run('enable', 'git', '-c', file)).code).toBe(0)
    expect(read()).toBe(existing)
    expect((await run('enable', 'git', '-c', file)).out).toContain('already enabled')
    await run('enable', 'files', '-c', file)
    expect(read()).not.toContain('disabled')
    expect(read()).toContain('// for now')
  })

  it.each(['remove', 'enable', 'disable'])('%s suggests the closest name', async (command) => {
    const { run, file, read } = setUp()
    const { code, err } = await run(command, 'gti', '-c', file)
    expect(code).toBe(2)
    expect(err).toContain(`${file} has no server "gti". Did you mean "git"?`)
    expect((await run(command, '-c', file)).err).toContain('Its servers: git, files.')
    expect(read()).toBe(existing)
  })

  it('reports a file that is not JSON with its line', async () => {
    const { run, file } = setUp('{\n  "mcpServers": ')
    const { code, err } = await run('remove', 'git', '-c', file)
    expect(code).toBe(2)
    expect(err).toContain(`${file}:2`)
  })

  it('says that a running gateway applies the change', async () => {
    const { run, file, env } = setUp()
    const unregister = await registerGateway(join(env.TOOLSEARCH_CACHE, 'running'), {
      pid: process.pid,
      url: 'http://127.0.0.1:1',
      configFile: file,
      startedAt: new Date().toISOString(),
      version: '1',
    })
    expect((await run('disable', 'git', '-c', file)).err).toContain('running gateway applies')
    unregister()
  })
})

describe('toolsearch restart', () => {
  it.each([
    [200, { state: 'ready' }, 0, 'Restarted my server.'],
    [200, { state: 'failed', detail: 'it crashed' }, 1, 'my server is failed: it crashed'],
    [404, { error: 'There is no server "my server".' }, 1, 'There is no server "my server".'],
  ])('reports status %s with %j', async (status, body, expected, message) => {
    const requests: string[] = []
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { run } = setUp()
    const { code, out, err } = await run(
      'restart',
      'my server',
      '--url',
      `http://127.0.0.1:${port}`,
    )
    server.closeAllConnections()
    server.close()
    expect(requests).toEqual(['POST /api/servers/my%20server/restart'])
    expect(code).toBe(expected)
    expect(out + err).toContain(message)
  })

  it('says how to start a gateway if none is running', async () => {
    const { run } = setUp()
    const { code, err } = await run('restart', 'git')
    expect(code).toBe(1)
    expect(err).toContain('No gateway is running.')
  })
})

describe('toolsearch undo', () => {
  it('lists changes, undoes one, and refuses if the file was edited since', async () => {
    const { run, file, read } = setUp()
    expect((await run('undo')).err).toContain('Nothing to undo.')
    await run('disable', 'git', '-c', file)
    await run('remove', 'files', '-c', file)
    const { out } = await run('undo', '--list')
    expect(out).toMatch(/Remove files\n {4}.*my\.json\n.*Disable git\n/)
    expect(out).toMatch(/ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Remove files/)
    writeFileSync(file, `${read()}\n`)
    const refused = await run('undo')
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(`edited since:\n  ${file}`)
    writeFileSync(file, read().slice(0, -1))
    expect((await run('undo')).out).toBe(`Undone: Remove files\n  ${file}\n`)
    expect((await run('undo')).out).toBe(`Undone: Disable git\n  ${file}\n`)
    expect(read()).toBe(existing)
    expect((await run('undo', 'nope')).err).toContain('There is no change "nope"')
    expect(existsSync(file)).toBe(true)
  })
})
