import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contender, Server, Setup } from './contender.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const PEERS = join(HERE, 'peers', 'node_modules')
const GATEWAY = join(HERE, '../../packages/gateway/dist/command/main.js')
const EVERYTHING = join(
  HERE,
  '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

/** The server whose tools are called. */
export const everything: Server = {
  name: 'everything',
  command: process.execPath,
  args: [EVERYTHING],
}

const inner = ({ servers: [first] }: Setup) => [first!.command, ...first!.args]
const plain: Contender['call'] = (_, __, name, args) => ({ name, arguments: args })
const prefixed: Contender['call'] = (_, server, tool, args) => ({
  name: `${server}__${tool}`,
  arguments: args,
})

/** The baseline for ratios. */
export const DIRECT: readonly Contender[] = [
  {
    name: 'direct',
    transport: 'stdio',
    takesMany: false,
    start: (setup) => ({ args: setup.servers[0]!.args }),
    call: plain,
  },
  {
    name: 'direct',
    transport: 'HTTP',
    takesMany: false,
    path: '/mcp',
    start: ({ servers, port }) => ({
      args: [...servers[0]!.args, 'streamableHttp'],
      env: { PORT: String(port) },
    }),
    call: plain,
  },
]

const relay: Omit<Contender, 'transport' | 'start'> = {
  name: 'bare relay',
  takesMany: false,
  call: plain,
}

const toolsearch: Omit<Contender, 'transport' | 'start'> = {
  name: 'toolsearch',
  takesMany: true,
  async call(client, server, tool, args) {
    const name = `${server}__${tool}`
    const about = await client.request('tools/call', {
      name: 'describe_tools',
      arguments: { names: [name] },
    })
    const effect = JSON.parse(about.content?.[0]?.text ?? '{}').tools?.[0]?.effect
    return { name: `call_${effect}_tool`, arguments: { name, arguments: args } }
  },
  search: (query) => ({ name: 'tool_search', arguments: { query } }),
}

/** The gateways, each started as its documentation describes. */
export const GATEWAYS: readonly Contender[] = [
  {
    ...relay,
    transport: 'stdio',
    start: (setup) => ({ args: [join(HERE, 'bare-relay.js'), ...inner(setup)] }),
  },
  {
    ...relay,
    transport: 'HTTP',
    path: '/',
    start: (setup) => ({
      args: [join(HERE, 'bare-relay.js'), ...inner(setup)],
      env: { PORT: String(setup.port) },
    }),
  },
  {
    ...toolsearch,
    transport: 'stdio',
    start: (setup) => ({
      args: [GATEWAY, 'serve', '-c', config(setup)],
      env: { TOOLSEARCH_CACHE: join(setup.folder, 'cache') },
    }),
  },
  {
    ...toolsearch,
    transport: 'HTTP',
    path: '/mcp',
    start: (setup) => ({
      args: [GATEWAY, 'serve', '--http', '--port', String(setup.port), '-c', config(setup)],
      env: { TOOLSEARCH_CACHE: join(setup.folder, 'cache') },
    }),
  },
  {
    name: 'Ratel',
    package: '@ratel-ai/mcp-server',
    transport: 'stdio',
    takesMany: true,
    start: (setup) => ({ args: [join(HERE, 'peers/ratel-server.js'), config(setup)] }),
    call: (_, server, tool, args) => ({
      name: 'invoke_tool',
      arguments: { toolId: `${server}__${tool}`, args },
    }),
    search: (query) => ({ name: 'search_tools', arguments: { query } }),
  },
  {
    name: 'mcp-broker',
    package: 'mcp-broker',
    transport: 'stdio',
    takesMany: true,
    start: (setup) => ({
      args: [join(PEERS, 'mcp-broker/dist/index.js'), 'serve'],
      env: { MCP_BROKER_HOME: join(config(setup, 'servers.json'), '..') },
    }),
    call: (_, server_name, tool_name, args) => ({
      name: 'call_tools',
      arguments: { invocations: [{ server_name, tool_name, arguments: args }] },
    }),
    search: (query) => ({ name: 'search_tools', arguments: { query } }),
  },
  {
    name: 'mcp-hub',
    package: 'mcp-hub',
    transport: 'HTTP',
    takesMany: true,
    path: '/mcp',
    speaksSse: true,
    start: (setup) => ({
      args: [
        join(PEERS, 'mcp-hub/dist/cli.js'),
        ...['--port', String(setup.port), '--config', config(setup)],
      ],
    }),
    call: prefixed,
  },
  {
    name: 'mcp-proxy',
    package: 'mcp-proxy',
    transport: 'HTTP',
    takesMany: false,
    path: '/mcp',
    start: (setup) => ({
      args: [
        join(PEERS, 'mcp-proxy/dist/bin/mcp-proxy.mjs'),
        ...['--host', '127.0.0.1', '--port', String(setup.port), '--server', 'stream', '--'],
        ...inner(setup),
      ],
    }),
    call: plain,
  },
  {
    name: 'supergateway',
    package: 'supergateway',
    transport: 'HTTP',
    takesMany: false,
    path: '/mcp',
    start: (setup) => ({
      args: [
        join(PEERS, 'supergateway/dist/index.js'),
        ...['--stdio', inner(setup).join(' '), '--outputTransport', 'streamableHttp', '--stateful'],
        ...['--port', String(setup.port), '--logLevel', 'none'],
      ],
    }),
    call: plain,
  },
]

/** Writes an `mcpServers` file, the format that all MCP clients use. */
function config({ folder, servers }: Setup, file = 'mcp.json'): string {
  mkdirSync(folder, { recursive: true })
  const mcpServers = Object.fromEntries(
    servers.map(({ name, command, args }) => [name, { command, args }]),
  )
  const path = join(folder, file)
  writeFileSync(path, JSON.stringify({ mcpServers }))
  return path
}
