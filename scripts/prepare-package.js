// Runs in a package's folder before its build: deletes old output and copies README.md and LICENSE.
import { copyFileSync, rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
for (const file of ['README.md', 'LICENSE'])
  copyFileSync(new URL(`../${file}`, import.meta.url), file)
