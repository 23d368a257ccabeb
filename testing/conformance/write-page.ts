import { readFileSync, writeFileSync } from 'node:fs'
import type { Judgement } from './judge.ts'
import { groupOf } from './scenario.ts'

const PAGE = new URL('../../docs/conformance.md', import.meta.url)
const { dependencies } = JSON.parse(
  readFileSync(new URL('./package.json', import.meta.url), 'utf8'),
) as { dependencies: Record<string, string> }

/** Writes the results of a complete run to `docs/conformance.md`. */
export function writePage(judgements: readonly Judgement[], date: Date): void {
  writeFileSync(PAGE, conformancePage(judgements, date))
}

function conformancePage(judgements: readonly Judgement[], date: Date): string {
  const groups = [...new Set(judgements.map(({ outcome }) => groupOf(outcome.scenario)))]
  const rows = groups.map((group) => {
    const members = judgements.filter(({ outcome }) => groupOf(outcome.scenario) === group)
    return row(group, members)
  })
  const others = judgements.filter(({ verdict }) => verdict !== 'passed')
  const hasFailed = others.some(({ verdict }) => verdict !== 'skipped')
  return `# Conformance

The gateway ${hasFailed ? 'is tested with' : 'passes'} the official conformance suite of MCP: as a server, which clients connect to, and as a client of the
servers behind it, in both protocol generations. \`npm run conformance -- --write\` runs the suite and writes this page.

- Suite: \`@modelcontextprotocol/conformance\` ${dependencies['@modelcontextprotocol/conformance']}
- Date: ${date.toISOString().slice(0, 10)}

| role and version | scenarios passed | checks passed |
| --- | --- | --- |
${[...rows, row('all', judgements)].join('\n')}

${others.length === 0 ? 'Every scenario passed.' : `${hasFailed ? 'Not passed' : 'Skipped'}:\n\n${others.map(line).join('\n')}`}

A warning of the suite counts as a failure. Scenarios of optional extensions are included: tasks, skills,
DPoP, enterprise-managed authorization and workload identity.

## How it is measured

- As a server: the gateway runs in front of a server with everything that the suite calls
  (\`testing/conformance/fixture\`), in the mode \`passthrough\`. Every request passes through the gateway to that server.
- Two settings differ from the defaults. Each default is what the protocol allows and suits most clients better, but one
  scenario tests the other choice.
  - \`streamSeconds\` is 2, because \`server-sse-polling\` expects that a response stream is closed during a call. A server may do
    that, so that the client continues the stream later. By default, the gateway leaves the stream open until the call ends.
  - \`waitForTasks\` is off, because \`tasks-required-task-error\` expects that a tool that runs only as a task is rejected if the
    client does not know tasks. The extension demands that of servers that cannot answer without a task. By default, the
    gateway can: it waits for the task and returns its result.
- As a client: the suite starts servers with certain requirements, and the client of the gateway connects to them
  (\`testing/conformance/client.ts\`). It signs in with the code that \`toolsearch sign-in\` uses.
`
}

function row(name: string, members: readonly Judgement[]): string {
  const passed = members.filter(({ verdict }) => verdict === 'passed').length
  const checks = members.reduce((sum, each) => sum + each.passed, 0)
  const counted = members.reduce((sum, each) => sum + each.counted, 0)
  return `| ${name} | ${passed} of ${members.length} | ${count(checks)} of ${count(counted)} |`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

function line({ outcome, verdict }: Judgement): string {
  const { scenario } = outcome
  const why = verdict === 'skipped' ? 'the suite has no checks for it yet' : verdict
  return `- \`${scenario.name}\` (${groupOf(scenario)}): ${why}`
}
