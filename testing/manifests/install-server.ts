import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PublishedServer } from './server-list.ts'

const MINUTES_5 = 300_000
const run = promisify(execFile)

/** Installs a server into its own folder, without install scripts, and returns the file to start. */
export async function installServer(server: PublishedServer, folder: string): Promise<string> {
  const at = join(folder, 'node_modules', server.package)
  if (installedVersion(at) !== server.version) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    const spec = `${server.package}@${server.version}`
    await run('npm', ['install', '--ignore-scripts', '--save-exact', ...quiet, spec], {
      cwd: folder,
      timeout: MINUTES_5,
      shell: process.platform === 'win32',
    })
  }
  return join(at, commandOf(at, server))
}

function installedVersion(at: string): string | undefined {
  const file = join(at, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}

function commandOf(at: string, server: PublishedServer): string {
  const { bin } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
  const commands: Record<string, string> = typeof bin === 'string' ? { [server.name]: bin } : bin
  const names = Object.keys(commands ?? {})
  const file = commands?.[server.bin ?? names[0] ?? '']
  if (file !== undefined) return file
  throw new Error(
    `${server.package} has no command "${server.bin}". Set "bin" to one of: ${names.join(', ')}`,
  )
}
