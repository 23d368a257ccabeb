import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConfigFile,
  type OpenGateway,
  openGateway,
} from '../../packages/gateway/src/open-gateway.ts'
import { jsonIn, rpcRequest } from './rpc-request.ts'

type Settings = NonNullable<ConfigFile['toolsearch']>

export interface HostileGateway {
  readonly gateway: OpenGateway
  /** Sends a request over HTTP and returns the response's `result` or `error`. */
  request(method: string, params?: object): Promise<Record<string, unknown>>
  /** Calls a tool and returns the text of its result. */
  call(tool: string, args?: object): Promise<string>
  close(): Promise<void>
}

/** An honest server, so that a test can see whether a hostile one keeps others from being answered. */
const HONEST = `
  const tools = [{ name: 'echo', description: 'Repeats a message', inputSchema: { type: 'object' } }]
  const answer = (method, params) =>
    method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }
`

/**
 * Opens a gateway in front of an honest server and of servers that tests write themselves.
 *
 * @param servers JavaScript by server that defines \`capabilities\` and \`answer(method, params, send)\`
 * @param remote further entries of \`mcpServers\`
 */
export async function openHostileGateway(
  servers: Readonly<Record<string, string>>,
  settings: Settings = {},
  remote: ConfigFile['mcpServers'] = {},
): Promise<HostileGateway> {
  const programs = Object.entries({ honest: HONEST, ...servers })
  const gateway = await openGateway(
    {
      mcpServers: {
        ...Object.fromEntries(
          programs.map(([name, code]) => [
            name,
            { command: process.execPath, args: ['-e', `${code}\n${SPEAK}`] },
          ]),
        ),
        ...remote,
      },
      toolsearch: settings,
    },
    {
      cacheFolder: false,
      stateFolder: await mkdtemp(join(tmpdir(), 'attack-')),
      onWarning: () => {},
    },
  )
  const { url } = await gateway.serveHttp()

  async function request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const response = await fetch(url, rpcRequest(method, params))
    const { result, error } = jsonIn(await response.text()) ?? {}
    return result ?? error
  }

  return {
    gateway,
    request,
    async call(name, args = {}) {
      const { content, message } = await request('tools/call', { name, arguments: args })
      return (content as { text: string }[] | undefined)?.[0]?.text ?? String(message)
    },
    close: () => gateway.close(),
  }
}

/**
 * The program of a server with many tools.
 *
 * @param nameOf JavaScript: the name of a tool by its number
 */
export function listing(count: number, nameOf: string): string {
  return `
    const nameOf = ${nameOf}
    const tools = Array.from({ length: ${count} }, (_, i) => ({ name: nameOf(i), description: 'Reads the record ' + i, inputSchema: { type: 'object' } }))
    const answer = (method) => method === 'tools/list' ? { tools } : { content: [] }`
}

/** The program of a server with the tool "use". Takes JavaScript. */
export function toolOf(inputSchema: string, result: string): string {
  return `
    const tools = [{ name: 'use', inputSchema: ${inputSchema} }]
    const answer = (method) => method === 'tools/list' ? { tools } : ${result}`
}

/** Speaks the protocol of 2025-06-18 around \`answer\`. */
const SPEAK = `
  const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
  require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    if (method === 'initialize') {
      const all = typeof capabilities === 'undefined' ? { tools: { listChanged: true } } : capabilities
      const serverInfo = { name: 'server', version: '1' }
      const about = typeof instructions === 'undefined' ? undefined : instructions
      return write({ id, result: { protocolVersion: '2025-06-18', capabilities: all, serverInfo, instructions: about } })
    }
    if (method === 'ping') return write({ id, result: {} })
    const result = await answer(method, params, write)
    if (result) write({ id, result })
    else write({ id, error: { code: -32601, message: 'Unknown method' } })
  })
`
