import { once } from 'node:events'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import type { AuditEntry } from '../audit/audit-entry.ts'
import type { AuditFilter } from '../audit/audit-store.ts'
import { openAuditForCommand } from './open-audit-for-command.ts'
import type { CommandHere } from './run-here.fixtures.ts'
import { type Serving, serving } from './serving.fixtures.ts'

/** `hang` never answers; the other tools do at once. */
const SERVER = `
  const tools = ['hang', 'echo'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  let calls = 0
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined || params?.name === 'hang') return
    const serverInfo = { name: 'x', version: '1' }
    if (method === 'tools/call') calls += 1
    const result =
      method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
      : method === 'tools/list' ? { tools }
      : { content: [{ type: 'text', text: 'call ' + calls }] }
    const known = ['initialize', 'tools/list', 'tools/call', 'ping'].includes(method)
    const answer = known ? { result } : { error: { code: -32601, message: 'Unknown method' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

interface AuditClient {
  readonly client: Client
  /** Calls a tool of the server: `hang` or `echo`. */
  readonly call: (name: string) => ReturnType<Client['callTool']>
}

/** A gateway of a test and its audit log. */
export interface AuditedGateway {
  readonly served: Serving
  writeConfig(toolsearch: object): Promise<void>
  /** Writes the configuration, starts a gateway in this process and connects to it. */
  start(toolsearch: object): Promise<AuditClient & { url: string; command: CommandHere }>
  /** The latest entry first. In this process, because starting a command takes long. */
  audited(filter: AuditFilter): Promise<readonly AuditEntry[]>
  /** Kills a process of the gateway during a call, and expects that the log shows this call. */
  expectTraceOfKilledProcess(): Promise<void>
}

export async function auditedGateway(): Promise<AuditedGateway> {
  const served = await serving({ mcpServers: {} })

  function writeConfig(toolsearch: object): Promise<void> {
    return served.write({
      mcpServers: { odd: { command: process.execPath, args: ['-e', SERVER] } },
      toolsearch: { mode: 'passthrough', ranking: 'words', ...toolsearch },
    })
  }

  async function start(toolsearch: object) {
    await writeConfig(toolsearch)
    const { url, command } = await served.http()
    return { url, command, ...(await connect(url)) }
  }

  const audited = (filter: AuditFilter) => auditedIn(served, filter)

  async function expectTraceOfKilledProcess(): Promise<void> {
    const { url, child } = await served.spawnHttp()
    const { client, call } = await connect(url)
    const pid = child.pid!
    await client.listTools()
    call('hang').catch(() => {})
    await call('echo')
    await expect
      .poll(() => audited({ outcome: 'unknown' }))
      .toMatchObject([{ action: 'tools/call', target: { server: 'odd', name: 'hang' } }])
    await expect.poll(() => audited({ tool: 'odd/echo' })).toMatchObject([{ outcome: 'ok' }])
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    await client.close().catch(() => {})
    const [cutOff] = await audited({ tool: 'odd/hang' })
    expect(cutOff).toMatchObject({ outcome: 'unknown', client: 'test' })
    expect(cutOff!.replica).toMatch(new RegExp(`:${pid}$`))
    const { out } = await served.run('audit', '--tool', 'odd/hang')
    expect(out).toContain(`unknown: no end recorded by ${cutOff!.replica}`)
  }

  return { served, writeConfig, start, audited, expectTraceOfKilledProcess }
}

/** What the audit log of a gateway has, the latest entry first. */
export async function auditedIn(
  { env, folder }: Serving,
  filter: AuditFilter,
): Promise<readonly AuditEntry[]> {
  const config = join(folder, 'toolsearch.json')
  const { store, close } = await openAuditForCommand({ values: { config }, env, cwd: folder })
  try {
    return (await store.query(filter, { limit: 100 })).entries
  } finally {
    await close()
  }
}

async function connect(url: string): Promise<AuditClient> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const call = (name: string) => client.callTool({ name: `odd__${name}`, arguments: {} })
  return { client, call }
}
