import { parseArgs } from 'node:util'
import { dataFolder, progress, runCommand, writeResults } from './bench-command.ts'
import type { ExpectedSet, ExpectedTurns } from './expect/expect-report.ts'
import { MODE, measureExpect, RANKERS } from './expect/measure-expect.ts'
import { measureLimits } from './expect/measure-limits.ts'
import { measureTurns } from './expect/measure-turns.ts'
import { printExpectReport } from './expect/print-expect-report.ts'
import { InputError } from './input-error.ts'
import { readLearningSets } from './learning/read-learning-sets.ts'

const HELP = `Measure how often \`expect\` adds the right tool before the model asks, and what that costs.

  npm run bench -- expect [--data DIR] [--set NAME]… [--queries N] [--write] [--json]

  --data DIR   folder with the public data sets (default: ../shared/data)
  --set NAME   only this set; can be repeated
  --queries N  requests per set, with and without a tool that fits (default: 300 of each)
  --write      save the report in bench/results/expect.json and expect.md
  --json       print JSON instead of tables
  --help       print this text

Sends each request as a user message, with and without \`expect\`, and compares both requests. Then plays
conversations of ten turns in every mode of every provider, and compares other limits with those in use.`

/** Requests of people, over the largest catalogue of this repository. */
const TURNS_SET = 'requests'

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
  const read = readLearningSets(dataFolder(options.data), options.set)
  const rankers = Object.keys(RANKERS)
  const sets: ExpectedSet[] = []
  for (const set of read) {
    for (const ranker of rankers) {
      progress(`${set.name}, ${ranker}`)
      sets.push(await measureExpect(set, ranker, count))
    }
  }
  const turns: ExpectedTurns[] = []
  for (const set of read.filter(({ name }) => name === TURNS_SET)) {
    turns.push(...(await measureTurns(set, 'hybrid', progress)))
  }
  progress('other limits')
  const limits = rankers.flatMap((ranker) => measureLimits(read, ranker, count))
  const report = { date: new Date().toISOString(), mode: MODE, sets, turns, limits }
  if (options.write) writeResults('expect', report, printExpectReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printExpectReport(report))
}

await runCommand(main)
