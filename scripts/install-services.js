// Installs PostgreSQL and Redis for the tests. Works only on Debian and as root, as in CI.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgres } from './find-postgres.js'

const isInPath = (name) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))

const missing = [
  ...(findPostgres() === undefined ? ['postgresql'] : []),
  ...(isInPath('redis-server') || isInPath('valkey-server') ? [] : ['redis-server']),
]

if (missing.length > 0) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(
      `The tests need ${missing.join(' and ')}, which can't be installed here without root and apt-get. ` +
        'Install PostgreSQL (postgres, initdb) and Redis or Valkey (redis-server, valkey-server) and put them into PATH. ' +
        'They need not run: the tests start their own.',
    )
    process.exit(1)
  }
  console.error(`Installing ${missing.join(' and ')} for the tests …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) =>
    execFileSync('apt-get', ['-qq', '-o', 'Acquire::Retries=3', ...args], { stdio: 'inherit', env })
  withoutStartingServices(() => {
    apt('update')
    apt('install', '--yes', '--no-install-recommends', ...missing)
  })
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
