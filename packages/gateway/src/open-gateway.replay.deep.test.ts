import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { combinations } from '../../../testing/deep.ts'
import type { ServerEntry } from './config/config-file.ts'
import { openGateway } from './open-gateway.ts'
import { isObject, type JsonObject } from './protocol/json-object.ts'
import type { McpTool } from './protocol/mcp-tool.ts'
import type { Era } from './protocol/versions.ts'
import { callsOf, httpClient, type RawClient, stdioClient } from './replay.fixtures.ts'
import { referenceServer } from './upstreams/fixtures/servers.fixtures.ts'

const dialects = join(import.meta.dirname, 'upstreams/fixtures/dialect-server.mjs')

interface Subject {
  readonly era: Era
  readonly args: (folder: string) => readonly string[]
  readonly env?: (folder: string) => Record<string, string>
  /** Tools whose results depend on the process, on time or on the internet. */
  readonly skipped?: readonly string[]
  /** @default true */
  readonly checksArguments?: boolean
  /** Values for properties of these names. */
  readonly values?: (folder: string) => JsonObject
}

const dialectValues = {
  checksArguments: false,
  values: () => ({ tree: { children: [{ children: [] }] }, pair: ['a', 1], name: 'ABC' }),
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  everything: {
    era: 'legacy',
    args: () => [referenceServer('everything')],
    skipped: [
      'trigger-long-running-operation',
      'get-env',
      'gzip-file-as-resource',
      'toggle-simulated-logging',
      'toggle-subscriber-updates',
    ],
    values: () => ({ resourceId: 1, count: 2 }),
  },
  files: {
    era: 'legacy',
    args: (folder) => [referenceServer('filesystem'), folder],
    values: (folder) => ({
      path: join(folder, 'note.txt'),
      paths: [join(folder, 'note.txt'), join(folder, 'none.txt')],
      source: join(folder, 'note.txt'),
      destination: join(folder, 'moved.txt'),
      oldText: 'hello',
      newText: 'bye',
      pattern: '*.txt',
    }),
  },
  memory: {
    era: 'legacy',
    args: () => [referenceServer('memory')],
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
  },
  old: { era: 'legacy', args: () => [dialects, 'legacy'], ...dialectValues },
  modern: { era: 'modern', args: () => [dialects, 'modern'], ...dialectValues },
}

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolsearch-replay-')))
})

let count = 0
/** Every run starts with the same files, because calls change them. */
async function freshFolder(): Promise<string> {
  const folder = join(root, `run${count++}`)
  await mkdir(join(folder, 'folder'), { recursive: true })
  await writeFile(join(folder, 'note.txt'), 'hello\nworld\n')
  return folder
}

interface Replayed {
  readonly call: string
  readonly isValid: boolean
  readonly result: JsonObject
}

type Send = (client: RawClient, tool: string, args: JsonObject) => Promise<JsonObject>

/** Calls every tool of a server, in the same order each time. */
async function replay(
  client: RawClient,
  { skipped = [], values = () => ({}) }: Subject,
  { tools, folder, send }: { tools: readonly McpTool[]; folder: string; send: Send },
): Promise<readonly Replayed[]> {
  const results: Replayed[] = []
  for (const { name, inputSchema } of tools) {
    if (skipped.includes(name)) continue
    const known = values(folder)
    for (const { about, isValid, arguments: args } of callsOf(inputSchema as JsonObject, known)) {
      const result = await send(client, name, args)
      results.push({ call: `${name}: ${about}`, isValid, result: normalised(result, folder) })
    }
  }
  return results
}

const DATES =
  /\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT[^\n"\\]*|\d+:\d\d:\d\d [AP]M|\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Without what may differ: folders, times, and what a newer protocol version adds. */
function normalised(result: JsonObject, folder: string): JsonObject {
  const json = JSON.stringify(result, (key, value) => (key === 'blob' ? atob(value) : value))
  const { pathname } = pathToFileURL(folder)
  const text = json
    .replaceAll(folder, '<folder>')
    .replaceAll(pathname, '<folder>')
    .replace(DATES, '<date>')
  const { resultType: _, _meta, ...rest } = JSON.parse(text)
  const meta = Object.entries(isObject(_meta) ? _meta : {}).filter(
    ([key]) => !key.startsWith('io.modelcontextprotocol/'),
  )
  return meta.length > 0 ? { ...rest, _meta: Object.fromEntries(meta) } : rest
}

const direct: Send = (client, name, args) => client.request('tools/call', { name, arguments: args })

const WAYS = combinations({
  server: Object.keys(SUBJECTS),
  client: ['legacy', 'modern'],
  mode: ['passthrough', 'search'],
})

describe.each(Object.keys(SUBJECTS))('calls of the server %s', (server) => {
  const subject = SUBJECTS[server]!
  let tools: readonly McpTool[]
  let expected: readonly Replayed[]
  beforeAll(async () => {
    const folder = await freshFolder()
    const { era, args, env = () => ({}) } = subject
    const client = await stdioClient(args(folder), { era, env: env(folder) })
    tools = (await client.request('tools/list', {})).tools as McpTool[]
    expected = await replay(client, subject, { tools, folder, send: direct })
    client.close()
  })

  it('can be generated, and most succeed', () => {
    expect(expected.length).toBeGreaterThan(tools.length * 2)
    const failed = expected.filter(({ isValid, result }) => isValid && isFailure(result))
    expect(failed.length).toBeLessThan(expected.length / 2)
    // The server refuses wrong arguments as well, if it checks them at all.
    const accepted = expected.filter(({ isValid, result }) => !isValid && !isFailure(result))
    if (subject.checksArguments !== false) expect(accepted).toEqual([])
  })

  const ways = WAYS.filter((way) => way.server === server)
  it.each(ways)(
    'return the same to a $client client in mode $mode',
    async ({ client: era, mode }) => {
      const folder = await freshFolder()
      const { args, env = () => ({}) } = subject
      const entry: ServerEntry = {
        command: process.execPath,
        args: args(folder),
        env: env(folder),
        // Otherwise, the gateway waits for tools that a client without tasks cannot call directly.
        toolsearch: { limits: { connectMs: 60_000 }, waitForTasks: false },
      }
      const gateway = await openGateway(
        {
          mcpServers: { [server]: entry },
          toolsearch: { mode, callTools: 'one', ranking: 'words' },
        },
        { cacheFolder: false, stateFolder: false },
      )
      try {
        await gateway.ready()
        const { url } = await gateway.serveHttp()
        const client = await httpClient(url, era)
        const send: Send = (to, tool, given) => {
          const name = `${server}__${tool}`
          if (mode === 'passthrough') return direct(to, name, given)
          return direct(to, 'call_tool', { name, arguments: given })
        }
        const results = await replay(client, subject, { tools, folder, send })
        for (const [index, { call, isValid, result }] of results.entries()) {
          const answer = expected[index]!
          expect(call).toBe(answer.call)
          if (isValid) expect({ call, result }).toEqual({ call, result: answer.result })
          // The gateway refuses wrong arguments in its own words, with the schema.
          else expect({ call, isFailure: isFailure(result) }).toEqual({ call, isFailure: true })
        }
      } finally {
        await gateway.close()
      }
    },
  )
})

function isFailure({ isError, error }: JsonObject): boolean {
  return isError === true || error !== undefined
}
