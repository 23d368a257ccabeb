import { parseArgs } from 'node:util'
import { dataFolder, progress, runCommand, writeResults } from './bench-command.ts'
import type { ExpectedSet } from './expect/expect-report.ts'
import { MODE, measureExpect, RANKERS } from './expect/measure-expect.ts'
import { printExpectReport } from './expect/print-expect-report.ts'
import { InputError } from './input-error.ts'
import { readLearningSets } from './learning/read-learning-sets.ts'

const HELP = `Measure how often \`expect\` adds the right tool before the model asks, and what that costs.

  npm run bench:expect [-- --data DIR] [--set NAME]… [--queries N] [--write] [--json]

  --data DIR   folder with the public data sets (default: ../shared/data)
  --set NAME   only this set; can be repeated
  --queries N  requests per set, with and without a tool that fits (default: 300 of each)
  --write      save the report in bench/results/expect.json and expect.md
  --json       print JSON instead of tables
  --help       print this text

Sends each request as a user message, with and without \`expect\`, and compares both requests.`

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      queries: { type: 'string', default: '300' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const count = Number(options.queries)
  if (!Number.isInteger(count) || count < 1) {
    throw new InputError(`--queries must be a whole number from 1 on, not "${options.queries}".`)
  }
  const sets: ExpectedSet[] = []
  for (const set of readLearningSets(dataFolder(options.data), options.set)) {
    for (const ranker of Object.keys(RANKERS)) {
      progress(`${set.name}, ${ranker}`)
      sets.push(await measureExpect(set, ranker, count))
    }
  }
  const report = { date: new Date().toISOString(), mode: MODE, sets }
  if (options.write) writeResults('expect', report, printExpectReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printExpectReport(report))
}

await runCommand(main)
