import { parseArgs } from 'node:util'
import { progress, runCommand, writeResults } from './bench-command.ts'
import { thisMachine } from './speed/machine.ts'
import { wireCatalogue } from './wire/catalogue/wire-catalogue.ts'
import { compareModes } from './wire/compare-modes.ts'
import { largeCatalogue } from './wire/large-catalogue.ts'
import { measureEncoding } from './wire/measure-encoding.ts'
import { printWireReport, type WireReport } from './wire/print-wire-report.ts'

const HELP = `What a conversation of 30 requests costs in every mode of every provider.

  npm run bench:wire [-- --write] [--json]

  --write  keep the report in bench/results/wire.json and wire.md
  --json   print data instead of tables
  --help   print this

Requests go through the providers' own clients to a server on this machine that checks them.
Tokens are counted with o200k_base; what the request before began with counts a tenth.`

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
  // twice as many, under other names, for the time it takes to write a request
  const twice = [...many, ...many.map((tool) => ({ ...tool, name: `${tool.name}_2` }))]
  const report: WireReport = {
    date: new Date().toISOString(),
    machine: thisMachine(),
    catalogues: [
      { tools: wireCatalogue.length, ways: await compareModes(wireCatalogue, progress) },
      { tools: many.length, ways: await compareModes(many, progress) },
    ],
    encoding: { tools: twice.length, times: await measureEncoding(twice) },
  }
  if (options.write) writeResults('wire', report, printWireReport(report))
  console.log(options.json ? JSON.stringify(report, null, 2) : printWireReport(report))
}

await runCommand(main)
