import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './children.ts'
import type { SuiteCommand } from './install-suite.ts'
import type { Check, Outcome, Scenario } from './scenario.ts'

/** The official suite, as far as this command uses it. */
export interface Suite {
  /** What a revision asks of servers and clients, and what the suite has beyond that. */
  scenarios(version: string): Promise<Scenario[]>
  /** Never rejects: a scenario that cannot be run is an outcome without checks. */
  run(scenario: Scenario): Promise<Outcome>
}

export interface SuiteTargets {
  /** Where the server is that is looked at. */
  readonly serverUrl: string
  /** What starts the client that is looked at. */
  readonly clientCommand: string
}

// a scenario gives up after 30 seconds by itself
const SCENARIO_MS = 60_000

export function createSuite(
  [node, script]: SuiteCommand,
  { serverUrl, clientCommand }: SuiteTargets,
): Suite {
  async function play(args: readonly string[], cwd: string): Promise<string> {
    const env = { PATH: process.env.PATH ?? '', HOME: cwd }
    const child = startChild(node, [script, ...args], { cwd, env })
    const timer = setTimeout(child.end, SCENARIO_MS)
    await child.ended
    clearTimeout(timer)
    return child.output()
  }

  return {
    async scenarios(version) {
      const list = await play(['list', '--requirements', version], tmpdir())
      return readScenarios(list, version)
    },
    async run(scenario) {
      const { role, version, name } = scenario
      const folder = await mkdtemp(join(tmpdir(), 'toolsearch-conformance-'))
      const target =
        role === 'server' ? ['--url', serverUrl] : ['--command', clientCommand, '--verbose']
      // forced, because extensions belong to no version
      const how = ['--scenario', name, '--spec-version', version, '--force', '-o', folder]
      try {
        const said = await play([role, ...target, ...how], folder)
        const checks = await readChecks(folder)
        return { scenario, checks, ...(checks.length === 0 && { trouble: said.slice(-500) }) }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Reads the lists that the suite prints: first what is required, then the rest with its side. */
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
  const file = files.find((each) => each.endsWith('checks.json'))
  return file === undefined ? [] : JSON.parse(await readFile(join(folder, file), 'utf8'))
}
