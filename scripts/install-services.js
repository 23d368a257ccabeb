// Installs what the tests need besides npm packages: Chromium, PostgreSQL and Redis, and for "npm run test:deep" nginx
// and Caddy. Runs before everything else, so that a machine that lacks something says so at once.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { findCaddy, findChromium, findNginx, findPostgres, findRedis } from './services.js'

const DEEP_SERVICES = [
  {
    debian: 'nginx',
    isInstalled: () => findNginx() !== undefined,
    advice: 'nginx: the program nginx, in PATH. It need not run.',
  },
  {
    debian: 'caddy',
    isInstalled: () => findCaddy() !== undefined,
    advice: 'Caddy: the program caddy, in PATH. It need not run.',
  },
]
const SERVICES = [
  {
    debian: 'chromium',
    isInstalled: () => existsSync(findChromium() ?? ''),
    advice: 'Chromium or Chrome. If it is not in a standard location, set CHROMIUM to its path.',
  },
  {
    debian: 'postgresql',
    isInstalled: () => findPostgres() !== undefined,
    advice: 'PostgreSQL: the programs postgres and initdb, in PATH. It need not run.',
  },
  {
    debian: 'redis-server',
    isInstalled: () => findRedis() !== undefined,
    advice: 'Redis or Valkey: the program redis-server or valkey-server, in PATH. It need not run.',
  },
  ...(process.env.TOOLSEARCH_TESTS ? DEEP_SERVICES : []),
]

const findMissing = () => SERVICES.filter(({ isInstalled }) => !isInstalled())
const missing = findMissing()
const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
if (missing.length > 0 && canInstall) {
  const packages = missing.map(({ debian }) => debian)
  console.error(`Installing ${packages.join(', ')} for the tests …`)
  try {
    withoutStartingServices(() => {
      apt('update')
      apt('install', '--yes', '--no-install-recommends', ...packages)
    })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
  }
}

const stillMissing = findMissing()
if (stillMissing.length > 0) {
  const packages = stillMissing.map(({ debian }) => debian)
  console.error('The tests need programs that are not installed:\n')
  for (const { advice } of stillMissing) console.error(`- ${advice}`)
  console.error(`\nOn Debian and Ubuntu, run: sudo apt-get install ${packages.join(' ')}`)
  process.exitCode = 1
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['-qq', '-o', 'Acquire::Retries=3', ...args], { stdio: 'inherit', env })
}

/** Debian starts a server when it is installed, unless this file says no. The tests start their own. */
function withoutStartingServices(install) {
  const policy = '/usr/sbin/policy-rc.d'
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    install()
  } finally {
    if (isOurs) rmSync(policy)
  }
}
