import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const main = here('../packages/gateway/dist/command/main.js')
const ROUNDS = 15

if (process.argv.includes('--help')) {
  console.log('Measure how long short commands take, from start to exit. There are no options.')
  process.exit()
}
if (!existsSync(main)) throw new Error('The gateway is not built yet. Run npm run build.')
const folder = mkdtempSync(join(tmpdir(), 'toolsearch-bench-'))
try {
  measureAll()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Measures how long short commands take, from start to exit, against Node itself. */
function measureAll(): void {
  const server = ['--conditions=@toolsearch/source', '--import', import.meta.resolve('tsx')]
  const company = {
    command: process.execPath,
    args: [...server, here('../examples/catalogue-server.ts')],
  }
  const config = join(folder, 'toolsearch.json')
  writeFileSync(config, JSON.stringify({ mcpServers: { company } }))
  run([main, 'tools', '-c', config]) // fills the cache
  const lines: [title: string, args: string[]][] = [
    ['node -e 0', ['-e', '0']],
    ['toolsearch --version', [main, '--version']],
    ['toolsearch help search', [main, 'help', 'search']],
    ['toolsearch search, 85 cached tools', [main, 'search', 'refund a payment', '-c', config]],
    ['toolsearch tools, 85 cached tools', [main, 'tools', '-c', config]],
  ]
  for (const [title, args] of lines) {
    const times = Array.from({ length: ROUNDS }, () => timed(args)).sort((a, b) => a - b)
    const [fastest, median] = [times[0]!, times[ROUNDS >> 1]!].map((ms) =>
      ms.toFixed(0).padStart(5),
    )
    console.log(`${title.padEnd(36)} median ${median} ms, fastest ${fastest} ms`)
  }
}

function timed(args: readonly string[]): number {
  const start = performance.now()
  run(args)
  return performance.now() - start
}

function run(args: readonly string[]): void {
  const env = { PATH: process.env.PATH, HOME: folder, TOOLSEARCH_CACHE: join(folder, 'cache') }
  execFileSync(process.execPath, args, { env, stdio: 'ignore' })
}
