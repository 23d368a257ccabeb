import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const packages = ['toolsearch', 'toolsearch-semantics', 'toolsearch-encoder', 'toolsearch-gateway']

/** Packs all packages into a folder, as npm would publish them. */
export function packPackages(folder) {
  const workspaces = packages.map((name) => `--workspace=${name}`)
  execFileSync('npm', ['pack', '--silent', `--pack-destination=${folder}`, ...workspaces], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}
