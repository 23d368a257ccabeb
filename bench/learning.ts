import { parseArgs } from 'node:util'
import { dataFolder, progress, runCommand, writeResults } from './bench-command.ts'
import { InputError } from './input-error.ts'
import type { LearnedSet } from './learning/learning-report.ts'
import {
  measureLearning,
  PEOPLE,
  RANKERS,
  REPETITIONS,
  WRONG_CHOICES,
} from './learning/measure-learning.ts'
import { printLearningReport } from './learning/print-learning-report.ts'
import { readLearningSets } from './learning/read-learning-sets.ts'

const HELP = `Measure how much learning from use improves the search, and what an adversary costs.

  npm run bench:learning [-- --data DIR] [--set NAME]… [--queries N] [--write] [--json]

  --data DIR   folder with the public data sets (default: ../shared/data)
  --set NAME   only this set; can be repeated
  --queries N  requests per set, both halves together (default: 400)
  --write      save the report in bench/results/learning.json and learning.md
  --json       print JSON instead of tables
  --help       print this text

Replays one half of the requests of each tool, then measures R@5 of the other half.`

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      queries: { type: 'string', default: '400' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const count = Number(options.queries)
  if (!Number.isInteger(count) || count < 2) {
    throw new InputError(`--queries must be a whole number from 2 on, not "${options.queries}".`)
  }
  const sets: LearnedSet[] = []
  for (const set of readLearningSets(dataFolder(options.data), options.set)) {
    for (const ranker of Object.keys(RANKERS)) {
      progress(`${set.name}, ${ranker}`)
      sets.push({ ...(await measureLearning(set, ranker, count)), isInView: set.isInView })
    }
  }
  const report = {
    date: new Date().toISOString(),
    people: PEOPLE,
    wrongChoices: WRONG_CHOICES,
    repetitions: REPETITIONS,
    sets,
  }
  if (options.write) writeResults('learning', report, printLearningReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printLearningReport(report))
}

await runCommand(main)
