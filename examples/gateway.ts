import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HELP = `Usage: npm start [-- --port N]

Start the gateway over HTTP on this machine, with three MCP reference servers and one server with
the 85 tools of the demo. Prints what the tools cost and how to connect. Press Ctrl-C to stop.
Uses port 7777, or the next free one. Saved queries stay in the folder .toolsearch.`

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const loader = ['--conditions=@toolsearch/source', '--import', import.meta.resolve('tsx')]
const command = here('../packages/gateway/src/cli/main.ts')

if (process.argv.includes('--help')) console.log(HELP)
else await start()

async function start(): Promise<void> {
  // Queries are saved next to the config file, and must still be there after a restart.
  const folder = here('../.toolsearch')
  mkdirSync(folder, { recursive: true })
  // The demo's own server may have changed since the last start, so its tools are not cached.
  const cache = mkdtempSync(join(tmpdir(), 'toolsearch-'))
  const config = join(folder, 'toolsearch.json')
  // On a busy machine, starting four servers at once can take longer than the default of 10 seconds.
  const toolsearch = { limits: { connectMs: 60_000 } }
  writeFileSync(config, JSON.stringify({ mcpServers: servers(folder), toolsearch }, null, 2))
  const env = { ...process.env, XDG_CACHE_HOME: cache }
  const run = (...args: string[]) =>
    spawn(process.execPath, [...loader, command, ...args, '--config', config], {
      stdio: 'inherit',
      env,
    })
  try {
    await ended(run('cost'))
    const gateway = run('serve', '--http', ...process.argv.slice(2))
    // Ctrl-C in a terminal also reaches the gateway: this process only waits for it to end.
    process.on('SIGINT', () => {})
    process.on('SIGTERM', () => gateway.kill('SIGTERM'))
    // npm passes signals to its shell only, and this process gets a new parent when the shell ends.
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid !== parent) gateway.kill('SIGTERM')
    }, 500)
    gateway.once('exit', () => clearInterval(watch))
    process.exitCode = await ended(gateway)
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

function servers(folder: string): Record<string, object> {
  const { resolve } = createRequire(import.meta.url)
  const reference = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [
      join(dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist/index.js'),
      ...args,
    ],
  })
  return {
    everything: reference('everything'),
    files: reference('filesystem', folder),
    memory: { ...reference('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
    company: { command: process.execPath, args: [...loader, here('./catalogue-server.ts')] },
  }
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}
