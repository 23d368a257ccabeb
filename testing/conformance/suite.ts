import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './children.ts'
import type { SuiteCommand } from './install-suite.ts'
import type { Check, Outcome, Scenario } from './scenario.ts'

/** The parts of the official suite that this command uses. */
export interface Suite {
  /** The scenarios of a protocol version, required and optional ones. */
  scenarios(version: string): Promise<Scenario[]>
  /** Never rejects: a scenario that cannot run has an outcome without checks. */
  run(scenario: Scenario): Promise<Outcome>
}

export interface SuiteTargets {
  /** The URL of the server under test. */
  readonly serverUrl: string
  /** The command that starts the client under test. */
  readonly clientCommand: string
}

// The suite itself ends a scenario after 30 seconds.
const SCENARIO_MS = 120_000

/** Scenarios of extensions that the suite has, but does not list with a protocol version. */
const UNLISTED: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [
    'sep-2640-skills-enumeration',
    'sep-2640-skills-manifest',
    'sep-2640-skills-directory',
  ],
}

export function createSuite(
  [node, script]: SuiteCommand,
  { serverUrl, clientCommand }: SuiteTargets,
): Suite {
  async function runSuite(args: readonly string[], cwd: string): Promise<string> {
    const env = { PATH: process.env.PATH ?? '', HOME: cwd }
    const child = startChild(node, [script, ...args], { cwd, env })
    const timer = setTimeout(child.end, SCENARIO_MS)
    await child.ended
    clearTimeout(timer)
    return child.output()
  }

  return {
    async scenarios(version) {
      const list = await runSuite(['list', '--requirements', version], tmpdir())
      const others = UNLISTED[version] ?? []
      return [
        ...readScenarios(list, version),
        ...others.map((name): Scenario => ({ role: 'server', version, name })),
      ]
    },
    async run(scenario) {
      const { role, version, name } = scenario
      const folder = await mkdtemp(join(tmpdir(), 'toolsearch-conformance-'))
      const target =
        role === 'server' ? ['--url', serverUrl] : ['--command', clientCommand, '--verbose']
      // --force, because extensions do not belong to a protocol version.
      const options = ['--scenario', name, '--spec-version', version, '--force', '-o', folder]
      try {
        const output = await runSuite([role, ...target, ...options], folder)
        const checks = await readChecks(folder)
        return { scenario, checks, ...(checks.length === 0 && { error: output.slice(-500) }) }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Parses the suite's list: required scenarios under a heading, then the others with their side. */
function readScenarios(list: string, version: string): Scenario[] {
  const found: Scenario[] = []
  let role: Scenario['role'] = 'server'
  for (const line of list.split('\n')) {
    const heading = /^(Server|Client) scenarios/.exec(line)?.[1]
    if (heading) role = heading === 'Server' ? 'server' : 'client'
    const [, name, side] = /^\s+- (\S+)(?: \[(server|client)\])?$/.exec(line) ?? []
    if (name) found.push({ role: (side as Scenario['role'] | undefined) ?? role, version, name })
  }
  return found
}

async function readChecks(folder: string): Promise<Check[]> {
  const files = await readdir(folder, { recursive: true })
  const file = files.find((name) => name.endsWith('checks.json'))
  return file === undefined ? [] : JSON.parse(await readFile(join(folder, file), 'utf8'))
}
