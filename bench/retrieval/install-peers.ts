import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The peers could not be installed. The message has what npm said last. */
class PeersNotInstalledError extends Error {
  override readonly name = 'PeersNotInstalledError'
  readonly code = 'peers_not_installed'

  constructor(said: string) {
    super(`The peers could not be installed (npm ci --prefix bench/peers): ${said}`)
  }
}

const PEERS = fileURLToPath(new URL('../peers', import.meta.url))
const BENCH = fileURLToPath(new URL('..', import.meta.url))

/** Installs the peers as their lock file says, unless they are there. @throws PeersNotInstalledError */
export function installPeers(report: (step: string) => void): void {
  if (existsSync(`${PEERS}/node_modules`)) return
  report('installing the peers in bench/peers (about 360 MB, once)')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr, error } = spawnSync('npm', ['ci', '--prefix', PEERS, ...options], {
    cwd: PEERS,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new PeersNotInstalledError(error?.message ?? stderr.trim())
}

/** The exact versions that are pinned, by package. MiniSearch and Orama are the bench's own. */
export function pinnedVersions(): Readonly<Record<string, string>> {
  const { devDependencies } = JSON.parse(readFileSync(`${BENCH}/package.json`, 'utf8'))
  const { dependencies } = JSON.parse(readFileSync(`${PEERS}/package.json`, 'utf8'))
  return { ...devDependencies, ...dependencies }
}
