import type { ScriptCall, ScriptRun } from './run-script.ts'
import type { ScriptProblem } from './script-messages.ts'

/** What the model reads about a script that has ended. */
export function writeRun(run: ScriptRun, source: string): string {
  const { end, log, calls } = run
  const parts: string[] = []
  // The log comes last, so that a long one does not hide the rest.
  const logged = log === '' ? [] : [writeLog(run)]
  if (end.kind === 'failed') {
    parts.push(writeProblem(end.error, source))
    if (calls.length > 0) parts.push(`Calls: ${writeCalls(calls)}.`)
    return [...parts, ...logged].join('\n\n')
  }
  const { text, unawaited, lost = [] } = end
  if (text === '') parts.push('The script returned an empty string.')
  else if (text !== undefined) parts.push(log === '' ? text : `Result:\n${text}`)
  if (unawaited.length > 0) {
    parts.push(
      `The script ended before ${countNames(unawaited)} finished. The gateway waited for the calls, but their results and any later errors are lost. Await every call, and every function that makes calls: \`await main()\` or \`return main()\`.`,
    )
  }
  if (lost.length > 0) parts.push(writeLost(lost, source))
  parts.push(...logged)
  if (parts.length > 0) return parts.join('\n\n')
  return calls.length === 0
    ? 'The script made no calls and returned nothing. If it only defines a function, call it: `return main()`.'
    : 'The script ended and returned nothing. To see something, return it or pass it to console.log.'
}

const MAX_LOST = 3

/** The errors of calls that the script never awaited, and so never noticed. */
function writeLost(lost: readonly ScriptProblem[], source: string): string {
  const count = lost.length === 1 ? '1 call failed' : `${lost.length} calls failed`
  const shown = lost.slice(0, MAX_LOST).map((problem) => writeProblem(problem, source))
  const rest = lost.length > MAX_LOST ? [`… and ${lost.length - MAX_LOST} more`] : []
  return [`${count} that the script does not await:`, ...shown, ...rest].join('\n')
}

function writeLog({ log, unloggedChars }: ScriptRun): string {
  const count = Number.isFinite(unloggedChars)
    ? `${unloggedChars.toLocaleString('en')} more`
    : 'More'
  const noun = unloggedChars === 1 ? 'character was' : 'characters were'
  const note = unloggedChars === 0 ? '' : `\n… ${count} ${noun} not kept.`
  return `Log:\n${log.trimEnd()}${note}`
}

const MAX_LINE = 200

/** The message with the line of the script, as the model wrote it. */
function writeProblem({ message, line, column }: ScriptProblem, source: string): string {
  if (line === undefined || column === undefined) return message
  const text = source.split('\n')[line - 1] ?? ''
  // Shows the part around the column if the line is long.
  const from = Math.max(0, column - 1 - MAX_LINE / 2)
  const shown = text.slice(from, from + MAX_LINE)
  const caret = `${' '.repeat(Math.max(0, column - 1 - from))}^`
  return `${message}\nat line ${line}, column ${column}:\n  ${shown}\n  ${caret}`
}

/** What has been done: effects of calls remain when a script fails. */
function writeCalls(calls: readonly ScriptCall[]): string {
  const states: Readonly<Record<ScriptCall['state'], string>> = {
    ok: 'done',
    failed: 'failed',
    running: 'cancelled',
    waiting: 'not started',
  }
  return Object.entries(states)
    .map(([state, label]) => [calls.filter((call) => call.state === state), label] as const)
    .filter(([some]) => some.length > 0)
    .map(([some, label]) => `${label}: ${countNames(some.map(({ tool }) => tool))}`)
    .join('; ')
}

/** @example countNames(['a', 'b', 'a']) // 'a (2×), b' */
function countNames(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count}×)`)).join(', ')
}
