import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const CHROMIUM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const DEBIAN_POSTGRES = '/usr/lib/postgresql'

/** The path of Chromium: the environment variable `CHROMIUM`, or one of the standard locations. */
export function findChromium() {
  return process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path))
}

/** The folder with `postgres` and `initdb`: that of Debian's newest version, or one in `PATH`. */
export function findPostgres() {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : []
  const folders = [
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_POSTGRES, version, 'bin')),
    ...pathFolders(),
  ]
  return folders.find((folder) =>
    ['postgres', 'initdb'].every((name) => existsSync(join(folder, name))),
  )
}

/** The path of `redis-server` or `valkey-server`. */
export function findRedis() {
  return inPath('redis-server', 'valkey-server')
}

/** The path of `nginx`, which Debian installs where only administrators look. */
export function findNginx() {
  return inPath('nginx') ?? ['/usr/sbin/nginx'].find((path) => existsSync(path))
}

/** The path of `caddy`. */
export function findCaddy() {
  return inPath('caddy')
}

function inPath(...names) {
  return names
    .flatMap((name) => pathFolders().map((folder) => join(folder, name)))
    .find((path) => existsSync(path))
}

function pathFolders() {
  return (process.env.PATH ?? '').split(':')
}
