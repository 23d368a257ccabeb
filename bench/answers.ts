import { parseArgs } from 'node:util'
import { measureAnswers } from './answers/measure-answers.ts'
import { printAnswersReport } from './answers/print-answers-report.ts'
import { runCommand, writeResults } from './bench-command.ts'

const HELP = `Measure what the gateway's search answers cost, and how often one search is enough.

  npm run bench -- answers [--write] [--json]

  --write  save the report in bench/results/answers.json and answers.md
  --json   print JSON instead of tables
  --help   print this text

Asks a gateway in front of the published servers in testing/manifests for everything in
bench/evaluation/requests.jsonl, with its default settings. Tokens are counted with o200k_base.`

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const report = await measureAnswers()
  if (options.write) writeResults('answers', report, printAnswersReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printAnswersReport(report))
}

await runCommand(main)
