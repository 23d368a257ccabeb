import type { Judgement } from './judge.ts'

/** Prints the results of one group: scenario, passed checks, verdict. */
export function printGroup(group: string, judgements: readonly Judgement[]): void {
  const width = Math.max(...judgements.map(({ outcome }) => outcome.scenario.name.length))
  const passed = judgements.filter(({ verdict }) => verdict === 'passed').length
  const expected = judgements.filter(({ verdict }) => verdict === 'failed as expected').length
  const total = `${passed} of ${judgements.length} passed, ${expected} failed as expected`
  console.log(`\n${group}: ${total}\n`)
  for (const { outcome, passed: passedChecks, counted, verdict, note } of judgements) {
    const checks = `${passedChecks}/${counted}`.padStart(6)
    console.log(`${outcome.scenario.name.padEnd(width)} ${checks}  ${verdict}`)
    if (verdict !== 'failed as expected' && note) console.log(note.replaceAll(/^/gm, '    '))
  }
}
