import { parseArgs } from 'node:util'
import { progress, runCommand, writeResults } from './bench-command.ts'
import { thisMachine } from './machine.ts'
import { compareFrameworks } from './wire/compare-frameworks.ts'
import { compareModes } from './wire/compare-modes.ts'
import { largeCatalogue } from './wire/large-catalogue.ts'
import { measureEncoding } from './wire/measure-encoding.ts'
import { onCallTools } from './wire/on-call-tools.ts'
import { printWireReport, type WireReport } from './wire/print-wire-report.ts'

const HELP = `Measure what a conversation costs in every mode of every provider and in every framework.

  npm run bench -- wire [--write] [--json]

  --write  save the report in bench/results/wire.json and wire.md
  --json   print JSON instead of tables
  --help   print this text

Sends the requests through the official clients and frameworks to a local server that checks them.
Tokens are counted with o200k_base; a prefix shared with the previous request costs a tenth.`

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (options.help) return console.log(HELP)
  const many = largeCatalogue()
  // Building a request is fast, so measure it with twice as many tools.
  const twice = [...many, ...many.map((tool) => ({ ...tool, name: `${tool.name}_2` }))]
  const report: WireReport = {
    date: new Date().toISOString(),
    machine: thisMachine(),
    catalogues: [
      { tools: onCallTools.length, ways: await compareModes(onCallTools, progress) },
      { tools: many.length, ways: await compareModes(many, progress) },
    ],
    frameworks: { tools: 500, costs: await compareFrameworks(500, progress) },
    encoding: { tools: twice.length, times: await measureEncoding(twice) },
  }
  if (options.write) writeResults('wire', report, printWireReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printWireReport(report))
}

await runCommand(main)
