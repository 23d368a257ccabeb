import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { recorded } from './cli/serving.fixtures.ts'
import { ConfigError, type ConfigFile, type OpenGateway, openGateway } from './open-gateway.ts'

const config: ConfigFile = {
  mcpServers: { everything: recorded },
  toolsearch: { ranking: 'words' },
}
const missing: ConfigFile = { mcpServers: { missing: { command: 'no-such-command' } } }

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-open-gateway-'))
})

const open: OpenGateway[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()))
})

/** Opens a gateway that stores nothing unless the options say otherwise. */
async function start(...[source, options]: Parameters<typeof openGateway>): Promise<OpenGateway> {
  const gateway = await openGateway(source, { cacheFolder: false, stateFolder: false, ...options })
  open.push(gateway)
  return gateway
}

describe('openGateway', () => {
  it('lists, searches and calls the tools of its servers', async () => {
    const gateway = await start(config)
    await gateway.ready()
    expect(gateway.servers()).toMatchObject([{ name: 'everything', state: 'ready' }])
    expect(gateway.servers()[0]!.tools).toBeGreaterThan(5)
    expect(gateway.listTools().map(({ name }) => name)).toContain('tool_search')
    const { hits } = gateway.search('echo a message', { limit: 1 })
    expect(hits.map(({ tool }) => tool.name)).toEqual(['everything__echo'])
    const call = { name: 'everything__echo', arguments: { message: 'hello' } }
    expect(await gateway.callTool({ name: 'call_read_tool', arguments: call })).toEqual(
      await gateway.callTool(call),
    )
    expect(JSON.stringify(await gateway.callTool(call))).toContain('hello')
  })

  it('takes an empty token for none', async () => {
    const onWarning = vi.fn()
    const gateway = await start(missing, { onWarning })
    await expect(gateway.serveHttp({ host: '0.0.0.0', token: '' })).rejects.toMatchObject({
      code: 'missing_token',
    })
    await gateway.serveHttp({ token: ' ' })
    expect(onWarning.mock.lastCall).toEqual(['The token is empty, so no token is required.'])
  })

  it('warns and goes on if a folder cannot be created', async () => {
    const onWarning = vi.fn()
    const impossible = process.platform === 'linux' ? '/proc/nope/x' : join(folder, '\0')
    const gateway = await openGateway(config, {
      env: { ...process.env, TOOLSEARCH_CACHE: impossible },
      onWarning,
    })
    open.push(gateway)
    await gateway.ready()
    expect(gateway.servers()).toMatchObject([{ state: 'ready' }])
    expect(onWarning.mock.calls).toEqual([
      [expect.stringMatching(/cannot be created \(\w+\).*Set TOOLSEARCH_CACHE/)],
    ])
  })

  it('reports settings that match no tool, once the tools are known', async () => {
    const gateway = await start({
      ...config,
      toolsearch: {
        ranking: 'words',
        deny: ['get-sun', 'everything/echo'],
        pins: ['everything/echo'],
      },
    })
    expect(gateway.setupProblems()).toEqual([])
    await gateway.ready()
    expect(gateway.setupProblems().map(({ message }) => message)).toEqual([
      'toolsearch.deny[0] "get-sun" matches no tool. Did you mean "get-sum"?',
      'toolsearch.pins[0] "everything/echo" has no effect: toolsearch.deny[1] hides the tool.',
    ])
    expect(gateway.search('echo a message').hits.map(({ tool }) => tool.name)).not.toContain(
      'everything__echo',
    )
  })

  it('reports an embedding model that does not respond, and searches without it', async () => {
    const onWarning = vi.fn()
    const gateway = await start(
      {
        ...config,
        toolsearch: { embedder: { url: 'http://127.0.0.1:1/v1', model: 'none' } },
      },
      { onWarning },
    )
    await gateway.ready()
    const found = await gateway.callTool({
      name: 'tool_search',
      arguments: { query: 'echo a message' },
    })
    expect(JSON.stringify(found)).toContain('everything__echo')
    await expect.poll(() => onWarning.mock.calls.length).toBe(1)
    expect(onWarning).toHaveBeenCalledWith(expect.stringContaining('"none"'))
  })

  it('resolves before its servers have connected, and reports when they have', async () => {
    const gateway = await start({ mcpServers: { ...config.mcpServers, ...missing.mcpServers } })
    expect(gateway.servers()[0]!.state).toBe('connecting')
    const changed = vi.fn()
    const stop = gateway.onChange(changed)
    const reported: string[] = []
    await gateway.ready(({ name, state }, remaining) =>
      reported.push(`${name} ${state} ${remaining}`),
    )
    expect(reported.sort()).toEqual([
      expect.stringMatching(/^everything ready \d$/),
      expect.stringMatching(/^missing failed \d$/),
    ])
    expect(changed).toHaveBeenCalled()
    expect(gateway.servers()[1]).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('no-such-command'),
      tools: 0,
    })
    stop()
  })

  it('returns a result with isError if a call is aborted', async () => {
    const gateway = await start(config)
    const operation = {
      name: 'everything__trigger-long-running-operation',
      arguments: { duration: 60, steps: 1 },
    }
    await gateway.ready()
    const signal = AbortSignal.timeout(50)
    expect((await gateway.callTool(operation, { signal })).isError).toBe(true)
  })

  it('reads a configuration file, and stores data in the given folders', async () => {
    const file = join(folder, 'toolsearch.json')
    await writeFile(file, JSON.stringify(config))
    const [cacheFolder, stateFolder] = [join(folder, 'cache'), join(folder, 'state')]
    const gateway = await start({ file }, { cacheFolder, stateFolder })
    await gateway.ready()
    gateway.search('echo')
    await gateway.close()
    expect(await readdir(join(cacheFolder, 'manifests'))).toEqual(['everything.json'])
    expect(await readdir(join(stateFolder, 'approvals'))).toHaveLength(1)
  })

  it('stores nothing if told so', async () => {
    const home = join(folder, 'home')
    const env = { ...process.env, TOOLSEARCH_CACHE: home }
    const gateway = await start(config, { env })
    await gateway.ready()
    gateway.search('echo')
    await gateway.close()
    await expect(readdir(home)).rejects.toThrow('ENOENT')
  })

  it('serves MCP clients over HTTP until it is closed', async () => {
    const gateway = await start(config)
    await gateway.ready()
    const { url } = await gateway.serveHttp({ token: 'secret' })
    expect((await fetch(url, { method: 'POST' })).status).toBe(401)
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: 'Bearer secret' }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(gateway.listTools().map(({ name }) => name))
    await client.close()
    await gateway.close()
    await expect(fetch(url)).rejects.toThrow()
  })

  it('names the property and the fix if the configuration is invalid', async () => {
    const wrong = { mcpServers: { git: { comand: 'git' } } } as ConfigFile
    const error = await start(wrong).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigError)
    const { message, code, problems } = error as ConfigError
    expect(code).toBe('invalid_config')
    expect(message).toContain('comand')
    expect(message).toContain('Did you mean "command"?')
    expect(message).not.toContain('toolsearch.json')
    expect(problems.length).toBeGreaterThan(0)
  })

  it('names the file and the line if a configuration file is invalid', async () => {
    const file = join(folder, 'invalid.json')
    await writeFile(file, '{\n  "mcpServers": { "git": { "comand": "git" } }\n}')
    await expect(start({ file })).rejects.toThrow(`${file}:2:`)
    await expect(start({ file: join(folder, 'none.json') })).rejects.toThrow(ConfigError)
  })

  it.each([
    ['a string', 'toolsearch.json', 'pass { file: "toolsearch.json" }'],
    ['nothing', undefined, 'needs a configuration'],
    ['a list', [], 'needs a configuration'],
    ['a file that is not a path', { file: 3 }, '"file" must be a path'],
    ['a file and a configuration', { file: 'a.json', mcpServers: {} }, 'remove "mcpServers"'],
    ['a value that JSON cannot hold', { mcpServers: { a: { command: 1n } } }, 'is not JSON'],
  ])('rejects %s and says what to pass', async (_, argument, message) => {
    const opening = openGateway(argument as never)
    await expect(opening).rejects.toThrow(ConfigError)
    await expect(opening).rejects.toThrow(message)
  })

  it('answers calls after close with an error, and does not serve any more', async () => {
    const gateway = await start(missing)
    await gateway.close()
    expect(await gateway.callTool({ name: 'tool_search', arguments: { query: 'echo' } })).toEqual({
      content: [{ type: 'text', text: 'The gateway is closed.' }],
      isError: true,
    })
    await expect(gateway.serveHttp()).rejects.toThrow('The gateway is closed.')
  })
})
