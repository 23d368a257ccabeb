import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BENCH } from './bench-command.ts'
import { InputError } from './input-error.ts'

export interface InstallPeersOptions {
  /** A folder with its own package.json and lockfile. */
  readonly folder: string
  /** Shown before the download, such as `80 MB`. */
  readonly size: string
  /**
   * Packages whose install scripts may run, because they compile a native module. All others are skipped.
   * @default []
   */
  readonly build?: readonly string[]
  readonly report: (step: string) => void
}

/** Installs the packages that a benchmark compares with, unless they already are. @throws InputError */
export function installPeers({ folder, size, build = [], report }: InstallPeersOptions): void {
  if (existsSync(join(folder, 'node_modules'))) return
  report(`installing the peers in bench/${relative(BENCH, folder)} (about ${size}, once)`)
  npm(folder, 'ci', '--ignore-scripts')
  for (const name of build) {
    try {
      npm(folder, 'rebuild', name)
    } catch (error) {
      report((error as Error).message)
    }
  }
}

/** The exact versions in a folder's package.json, by package. */
export function pinnedVersions(folder: string): Readonly<Record<string, string>> {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return dependencies
}

function npm(folder: string, ...args: readonly string[]): void {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr, error } = spawnSync('npm', [...args, ...quiet], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  const reason = error?.message ?? stderr.trim()
  throw new InputError(`"npm ${args.join(' ')}" failed in ${folder}: ${reason}`)
}
