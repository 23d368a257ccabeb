// Packs the packages once, and checks the tarballs with publint and attw.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packPackages } from './pack-packages.js'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-tarballs-'))
try {
  packPackages(folder)
  for (const tarball of readdirSync(folder)) {
    const file = join(folder, tarball)
    for (const command of [`publint --strict "${file}"`, `attw "${file}" --profile esm-only`]) {
      const { status } = spawnSync(command, { shell: true, stdio: 'inherit' })
      if (status !== 0) process.exitCode = 1
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
