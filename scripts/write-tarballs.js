// Writes the packages as npm would publish them to tarballs/, for installing them on another machine.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'

const folder = 'tarballs'
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const packages = ['toolsearch', 'toolsearch-semantics', 'toolsearch-encoder', 'toolsearch-gateway']
const workspaces = packages.map((name) => `--workspace=${name}`)
const command = ['pack', '--silent', `--pack-destination=${folder}`, ...workspaces]
execFileSync('npm', command, {
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
})
for (const file of readdirSync(folder)) console.log(`${folder}/${file}`)
