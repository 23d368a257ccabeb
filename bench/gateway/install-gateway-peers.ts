import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PEERS = fileURLToPath(new URL('./peers', import.meta.url))

/** Peers need a program that is built on this machine; all other scripts of packages are not run. */
const BUILT = 'better-sqlite3'

/** The gateways could not be installed. The message has what npm said last. */
class GatewayPeersError extends Error {
  override readonly name = 'GatewayPeersError'
  readonly code = 'peers_not_installed'
}

/** Installs the peers as their lock file says, unless they are there. @throws GatewayPeersError */
export function installGatewayPeers(report: (step: string) => void): void {
  if (existsSync(`${PEERS}/node_modules`)) return
  report('installing the peers in bench/gateway/peers (about 80 MB, once)')
  npm('ci', '--ignore-scripts')
  try {
    npm('rebuild', BUILT)
  } catch {
    report(`${BUILT} could not be built: mcp-broker will not start`)
  }
}

/** The exact versions that are pinned, by package. */
export function gatewayPeerVersions(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(`${PEERS}/package.json`, 'utf8')).dependencies
}

function npm(...args: readonly string[]): void {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr, error } = spawnSync('npm', [...args, ...quiet], {
    cwd: PEERS,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  const said = error?.message ?? stderr.trim()
  throw new GatewayPeersError(`The peers could not be installed (npm ${args.join(' ')}): ${said}`)
}
