import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** The folder with `postgres` and `initdb`: that of Debian's newest version, or one in `PATH`. */
export function findPostgres() {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : []
  const folders = [
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_FOLDER, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ]
  return folders.find((folder) =>
    ['postgres', 'initdb'].every((name) => existsSync(join(folder, name))),
  )
}
