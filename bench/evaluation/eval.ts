import { fromCaller, runCommand } from '../bench-command.ts'
import type { EvalReport } from './eval-report.ts'
import { evaluateRanker } from './evaluate-ranker.ts'
import { readEvaluationSet } from './evaluation-set.ts'
import { halfOf, OWN_SETS } from './own-sets.ts'
import { printEvalReport } from './print-eval-report.ts'
import { HELP, readOptions } from './read-options.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), fromCaller('.'))
  if (options.help) return console.log(HELP)

  const set = options.files ? readEvaluationSet(options.files) : OWN_SETS[options.set]()
  const report = await evaluateRanker(options, options.half ? halfOf(set, options.half) : set)
  console.log(options.json ? JSON.stringify(report, null, 2) : printEvalReport(report))
  for (const note of [...notesOn(report), ...report.failures]) console.error(note)
  if (report.failures.length > 0) process.exitCode = 1
}

function notesOn({ unknownNames: names }: EvalReport): string[] {
  const first = [...names.slice(0, 5), ...(names.length > 5 ? ['…'] : [])].join(', ')
  return [
    ...(names.length > 0
      ? [
          names.length === 1
            ? `1 relevant name matches no tool and counts as missed: ${first}`
            : `${names.length} relevant names match no tool and count as missed: ${first}`,
        ]
      : []),
  ]
}

await runCommand(main)
