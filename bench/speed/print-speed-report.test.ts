import { describe, expect, it } from 'vitest'
import { findDisagreements, printSpeedReport } from './print-speed-report.ts'
import type { CatalogueFigures, SpeedReport } from './speed-report.ts'

describe('printSpeedReport', () => {
  it('shows medians, and the ratio to MiniSearch with its spread', () => {
    const page = printSpeedReport(report([catalogue([0.02, 0.08, 0.021], [0.1, 0.4, 0.1])]))
    const row = page.split('\n').find((line) => line.startsWith('| search, p50'))
    expect(row?.split('|').map((cell) => cell.trim())).toEqual([
      ...['', 'search, p50', '21.0 µs', '100 µs', '0.20 (0.20–0.21)', ''],
    ])
    expect(page).toContain('the median of 3 fresh processes')
    expect(page).not.toContain('disagree')
  })

  it('leaves out rows that no engine has a figure for', () => {
    expect(printSpeedReport(report([catalogue([1], [2])]))).not.toContain('other languages, p50')
  })

  it('prints the warnings of the report', () => {
    const catalogues = [catalogue([0.02, 0.09], [0.1, 0.1])]
    expect(printSpeedReport(report(catalogues))).toContain('**The runs disagree on "search, p50"')
  })
})

describe('findDisagreements', () => {
  it('warns when the processes disagree on the ratio, not when one of them is slow', () => {
    expect(findDisagreements([catalogue([0.02, 0.2], [0.1, 1])])).toEqual([])
    expect(findDisagreements([catalogue([0.02, 0.09], [0.1, 0.1])])).toEqual([
      'The runs disagree on "search, p50" with 5,171 tools: ranker ÷ MiniSearch is 0.20 to 0.90. ' +
        'Measure again when the machine is idle.',
    ])
  })
})

function catalogue(ours: readonly number[], theirs: readonly number[]): CatalogueFigures {
  const engine = (name: string, side: 'ours' | 'peer', searchP50: readonly number[]) => {
    const values = { searchP50, queries: searchP50.map(() => 604) }
    return { name, side, values } as unknown as CatalogueFigures['engines'][number]
  }
  return {
    tools: 5171,
    engines: [engine('ranker', 'ours', ours), engine('MiniSearch', 'peer', theirs)],
    session: { create: [1], firstTurn: [1], laterTurn: [1], searchP50: [1], searchP99: [1] },
    skipped: [],
  }
}

function report(catalogues: readonly CatalogueFigures[]): SpeedReport {
  const machine = { cpu: 'CPU', cores: 2, memoryGigabytes: 8, node: 'v20', platform: 'linux' }
  return {
    date: '2026-11-16T00:00:00.000Z',
    machine: { ...machine, loadBefore: 0 },
    versions: {},
    queries: { short: 354, sentences: 250, foreign: 0 },
    rejected: 0,
    catalogues,
    warnings: findDisagreements(catalogues),
  }
}
