import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Tool } from '@modelcontextprotocol/client'
import { installServer } from './install-server.ts'
import { listTools } from './list-tools.ts'
import { type PublishedServer, publishedServers } from './server-list.ts'

const HELP = `Usage: npm run docs -- manifests [name…]

Install the servers of testing/manifests/servers.json into a temporary folder, list their tools and
write them to testing/manifests/servers. Without names: every server.`

const TIMEOUT_MS = 30_000
const WORK = join(tmpdir(), 'toolsearch-manifests')
const OUTPUT = join(import.meta.dirname, 'servers')

const names = process.argv.slice(2)
if (names.includes('--help')) {
  console.log(HELP)
} else {
  const servers = chosen(names)
  mkdirSync(OUTPUT, { recursive: true })
  for (const [at, server] of servers.entries()) {
    const progress = `[${at + 1}/${servers.length}] ${server.name}`
    try {
      const tools = await collect(server)
      console.log(`${progress}: ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`)
    } catch (error) {
      console.error(`${progress}: failed: ${(error as Error).message}`)
      process.exitCode = 1
    }
  }
}

function chosen(names: readonly string[]): readonly PublishedServer[] {
  const servers = publishedServers()
  const unknown = names.filter((name) => !servers.some((server) => server.name === name))
  if (unknown.length > 0) {
    console.error(`Not in servers.json: ${unknown.join(', ')}. Add the server there first.`)
    process.exitCode = 2
    return []
  }
  return names.length === 0 ? servers : servers.filter(({ name }) => names.includes(name))
}

async function collect(server: PublishedServer): Promise<Tool[]> {
  const file = await installServer(server, join(WORK, server.name))
  const folder = join(WORK, 'home', server.name)
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(server.files ?? {})) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  const tools = await listTools({
    file,
    args: (server.args ?? []).map(withFolder),
    env: Object.fromEntries(
      Object.entries(server.env ?? {}).map(([name, value]) => [name, withFolder(value)]),
    ),
    folder,
    timeoutMs: TIMEOUT_MS,
  })
  if (tools.length === 0) throw new Error('The server lists no tools.')
  const lines = tools.map((tool) => `${JSON.stringify(definition(tool))}\n`)
  // Some descriptions contain the working directory, which differs between machines.
  const text = lines.join('').replaceAll(folder, '/home/user')
  writeFileSync(join(OUTPUT, `${server.name}.jsonl`), text)
  return tools

  function withFolder(text: string): string {
    return text.replace('{folder}', folder)
  }
}

/** The fields that a search can use. Icons, output schemas and `_meta` would only add size. */
function definition({ name, title, description, inputSchema, annotations }: Tool): object {
  return { name, title, description, inputSchema, annotations }
}
