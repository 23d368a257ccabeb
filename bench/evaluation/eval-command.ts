import { fromCaller } from '../bench-command.ts'
import type { EvalReport } from './eval-report.ts'
import { evaluateRanker } from './evaluate-ranker.ts'
import { readEvaluationSet } from './evaluation-set.ts'
import { halfOf, OWN_SETS } from './own-sets.ts'
import { printEvalReport } from './print-eval-report.ts'
import { HELP, readOptions } from './read-options.ts'

/**
 * Evaluates a ranker and prints the report. Resolves to the exit code: 1 if a figure is below its minimum.
 * @throws InputError
 */
export async function evalCommand(
  args: readonly string[],
  { log, error }: Pick<Console, 'log' | 'error'> = console,
): Promise<number> {
  const options = readOptions([...args], fromCaller('.'))
  if (options.help) {
    log(HELP)
    return 0
  }

  const set = options.files ? readEvaluationSet(options.files) : OWN_SETS[options.set]()
  const report = await evaluateRanker(options, options.half ? halfOf(set, options.half) : set)
  log(options.json ? JSON.stringify(report, null, 2) : printEvalReport(report))
  for (const note of [...notesOn(report), ...report.failures]) error(note)
  return report.failures.length > 0 ? 1 : 0
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
