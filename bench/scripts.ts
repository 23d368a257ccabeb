import { parseArgs } from 'node:util'
import { runCommand, writeResults } from './bench-command.ts'
import { measureScripts } from './scripts/measure-scripts.ts'
import { printScriptsReport } from './scripts/print-scripts-report.ts'

const HELP = `Measure what scripts save: ten tasks with several calls and five with one, each with direct calls
and with a script.

  npm run bench -- scripts [--write] [--json]

  --write  save the report in bench/results/scripts.json and scripts.md
  --json   print JSON instead of a table
  --help   print this text

Opens a gateway with default settings in front of the published servers "filesystem", "memory" and
"everything". No model takes part: each task has a fixed plan for either way, with calls in parallel
where they do not depend on each other, and both plans must return the right answer. Tokens are
counted with o200k_base.`

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const report = await measureScripts()
  if (options.write) writeResults('scripts', report, printScriptsReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printScriptsReport(report))
}

await runCommand(main)
