// npm run conformance            run the official MCP suite against the gateway and its upstream client
// npm run conformance -- --write the same, and write the results to docs/conformance.md
// npm run conformance -- tools   run only scenarios whose names contain one of these words
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { installSuite } from './install-suite.ts'
import { type Expectation, type Judgement, judge, staleEntries } from './judge.ts'
import { groupOf, type Outcome } from './scenario.ts'
import { CLIENT_COMMAND, startServers } from './start-servers.ts'
import { createSuite } from './suite.ts'
import { writePage } from './write-page.ts'

const VERSIONS = ['2026-07-28', '2025-11-25']
const expectations: Expectation[] = JSON.parse(
  readFileSync(new URL('./expected.json', import.meta.url), 'utf8'),
)
const words = process.argv.slice(2).filter((word) => word !== '--write')
const writes = process.argv.includes('--write')

const command = installSuite()
const servers = await startServers()
try {
  const suite = createSuite(command, { serverUrl: servers.url, clientCommand: CLIENT_COMMAND })
  const all = (await Promise.all(VERSIONS.map(suite.scenarios))).flat()
  const chosen = all.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  const outcomes = await runAll(chosen, suite.run)
  const judgements = outcomes.map((outcome) => judge(outcome, expectations))
  for (const [group, members] of byGroup(judgements)) printGroup(group, members)

  const stale = words.length === 0 ? staleEntries(outcomes, expectations) : []
  for (const entry of stale)
    console.log(`expected.json lists a scenario that no longer exists: ${entry}`)
  if (writes && words.length === 0) writePage(judgements, new Date())
  const isAsExpected = judgements.every(({ verdict }) =>
    ['passed', 'skipped', 'failed as expected'].includes(verdict),
  )
  if (!isAsExpected || stale.length > 0 || chosen.length === 0) process.exitCode = 1
} finally {
  await servers.close()
}

/** Runs `act` for each item, a few at a time, and returns the results in order. */
async function runAll<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const results: Outcome[] = []
  const left = items.entries()
  const work = async () => {
    for (const [at, item] of left) {
      results[at] = await act(item)
      if (process.stderr.isTTY) process.stderr.write('.')
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
  return results
}

function byGroup(judgements: readonly Judgement[]): Map<string, Judgement[]> {
  const groups = new Map<string, Judgement[]>()
  for (const judgement of judgements) {
    const group = groupOf(judgement.outcome.scenario)
    groups.set(group, [...(groups.get(group) ?? []), judgement])
  }
  return groups
}

/** Prints the results of one group: scenario, passed checks, verdict. */
function printGroup(group: string, judgements: readonly Judgement[]): void {
  const width = Math.max(...judgements.map(({ outcome }) => outcome.scenario.name.length))
  const passed = judgements.filter(({ verdict }) => verdict === 'passed').length
  const expected = judgements.filter(({ verdict }) => verdict === 'failed as expected').length
  const total = `${passed} of ${judgements.length} passed, ${expected} failed as expected`
  console.log(`\n${group}: ${total}\n`)
  for (const { outcome, passed: passedChecks, counted, verdict, note } of judgements) {
    const checks = `${passedChecks}/${counted}`.padStart(6)
    console.log(`${outcome.scenario.name.padEnd(width)} ${checks}  ${verdict}`)
    if (verdict !== 'failed as expected' && note) console.log(note.replaceAll(/^/gm, '    '))
  }
}
