import { parseArgs } from 'node:util'
import { dataFolder, progress, runCommand, writeResults } from './bench-command.ts'
import { InputError } from './input-error.ts'
import { REPETITIONS, WRONG_CHOICES } from './learning/adversaries.ts'
import type { LearnedSet, LearningCost } from './learning/learning-report.ts'
import { measureCost } from './learning/measure-cost.ts'
import { measureLearning } from './learning/measure-learning.ts'
import { RANKERS } from './learning/memory-search.ts'
import { printLearningReport } from './learning/print-learning-report.ts'
import { readLearningSets } from './learning/read-learning-sets.ts'
import { PEOPLE } from './learning/replay-uses.ts'
import { readCatalogue } from './speed/read-catalogue.ts'

const HELP = `Measure how much learning from use improves the search, what adversaries cost, and how long a search takes.

  npm run bench -- learning [--data DIR] [--set NAME]… [--queries N] [--seeds N] [--write] [--json]

  --data DIR   folder with the public data sets (default: ../shared/data)
  --set NAME   only this set; can be repeated
  --queries N  requests per set (default: 400)
  --seeds N    how often the requests of a set are divided in two (default: 2)
  --write      save the report in bench/results/learning.json and learning.md
  --json       print JSON instead of tables
  --help       print this text

Replays one half of the requests of each tool and measures R@5 of the other half, then the reverse.`

/** The tools that searches are timed with. */
const TIMED_SET = 'toucan-catalog'

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      data: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      queries: { type: 'string', default: '400' },
      seeds: { type: 'string', default: '2' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const count = readNumber('queries', options.queries, 2)
  const seeds = readNumber('seeds', options.seeds, 1)
  const folder = dataFolder(options.data)
  const measured: LearnedSet[] = []
  const sets = readLearningSets(folder, options.set)
  for (const set of sets) {
    for (const ranker of Object.keys(RANKERS)) {
      progress(`${set.name}, ${ranker}`)
      measured.push(await measureLearning(set, { ranker, count, seeds }))
    }
  }
  const report = {
    date: new Date().toISOString(),
    people: PEOPLE,
    seeds,
    wrongChoices: WRONG_CHOICES,
    repetitions: REPETITIONS,
    sets: measured,
    costs: options.set.length === 0 ? await measureCosts() : [],
  }
  if (options.write) writeResults('learning', report, printLearningReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printLearningReport(report))

  async function measureCosts(): Promise<LearningCost[]> {
    const { tools } = readCatalogue(folder, TIMED_SET)
    const queries = [...new Set(sets.flatMap(({ queries }) => queries.map(({ query }) => query)))]
    const costs: LearningCost[] = []
    for (const ranker of Object.keys(RANKERS)) {
      progress(`time, ${ranker}`)
      costs.push(await measureCost(ranker, tools, queries))
    }
    return costs
  }
}

/** @throws InputError */
function readNumber(option: string, text: string, least: number): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= least) return number
  throw new InputError(`--${option} must be a whole number from ${least} on, not "${text}".`)
}

await runCommand(main)
