import type { Reliability, ReliabilityRow } from 'toolsearch/evaluation'
import { plainTable } from '../table.ts'

const COLUMNS = ['queries', 'without a tool', 'stated', 'right']

/** One table for the levels and one for the tenths, without those that have no rows. */
export function printReliability({ levels, tenths }: Reliability): string[] {
  const tables = [
    ['confidence', levels.map((level) => row(level.confidence, level))],
    [
      'probability',
      tenths.map((tenth) => row(`${tenth.from.toFixed(1)} to ${tenth.to.toFixed(1)}`, tenth)),
    ],
  ] as const
  return tables
    .filter(([, rows]) => rows.length > 0)
    .map(([head, rows]) => plainTable([head, ...COLUMNS], rows).join('\n'))
}

function row(label: string, { queries, unserved, stated, right }: ReliabilityRow): string[] {
  return [label, `${queries}`, `${unserved}`, percent(stated), percent(right)]
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : (share * 100).toFixed(1)
}
