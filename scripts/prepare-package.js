// Runs in a package's folder before its build: old output away, and the texts every package ships in.
import { copyFileSync, rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })
for (const file of ['README.md', 'LICENSE'])
  copyFileSync(new URL(`../${file}`, import.meta.url), file)
