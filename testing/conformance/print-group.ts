import type { Judgement } from './judge.ts'

/** Prints the table of one group: scenario, checks passed, verdict. */
export function printGroup(group: string, judgements: readonly Judgement[]): void {
  const width = Math.max(...judgements.map(({ outcome }) => outcome.scenario.name.length))
  const passed = judgements.filter(({ verdict }) => verdict === 'passed').length
  const listed = judgements.filter(({ verdict }) => verdict === 'listed').length
  const total = `${passed} of ${judgements.length} passed, ${listed} listed`
  console.log(`\n${group}: ${total}\n`)
  for (const { outcome, passed: done, counted, verdict, note } of judgements) {
    const checks = `${done}/${counted}`.padStart(6)
    console.log(`${outcome.scenario.name.padEnd(width)} ${checks}  ${verdict}`)
    if (verdict !== 'listed' && note) console.log(note.replaceAll(/^/gm, '    '))
  }
}
