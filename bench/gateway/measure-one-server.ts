import { join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { median } from '../statistics.ts'
import type { Contender } from './contender.ts'
import { DIRECT, everything, GATEWAYS } from './contenders.ts'
import type { OneServerRow } from './gateway-report.ts'
import { launch, type Running } from './launch.ts'
import { type CallEffort, type CallFigures, measureCalls } from './measure-calls.ts'

const START_MS = 30_000

/** Measures all contenders with one server. All run at the same time and take turns. */
export async function measureOneServer(
  folder: string,
  effort: CallEffort,
  report: (step: string) => void,
): Promise<OneServerRow[]> {
  const rows: OneServerRow[] = []
  const running: Running[] = []
  const startTimes = new Map<Running, number>()
  try {
    for (const contender of [...DIRECT, ...GATEWAYS]) {
      report(`starting ${contender.name} over ${contender.transport}`)
      try {
        const { target, startMs } = await start(contender, folder, effort.starts)
        running.push(target)
        startTimes.set(target, startMs)
      } catch (error) {
        const { name, transport } = contender
        rows.push({ name, transport, problem: (error as Error).message })
      }
    }
    const figures = await measureCalls(running, effort, report)
    return [...running.map((target) => row(target, figures, startTimes.get(target)!)), ...rows]
  } finally {
    await Promise.all(running.map((target) => target.end()))
  }
}

/** Starts a contender several times, each in a new folder, and leaves the last one running. */
async function start(
  contender: Contender,
  folder: string,
  starts: number,
): Promise<{ target: Running; startMs: number }> {
  const times: number[] = []
  for (;;) {
    const own = join(folder, `start-${times.length + 1}`)
    const target = await launch(contender, [everything], { folder: own, withinMs: START_MS })
    times.push(target.startMs)
    if (times.length === starts) return { target, startMs: median(times) }
    await target.end()
  }
}

function row(
  target: Running,
  figures: ReadonlyMap<Running, readonly CallFigures[]>,
  startMs: number,
): OneServerRow {
  const { name, transport } = target.contender
  const own = figures.get(target)!
  const [direct] = [...figures].find(
    ([other]) => other.contender.name === 'direct' && other.contender.transport === transport,
  )!
  const base = figures.get(direct)!
  const ratios = (field: 'p50' | 'p99') => own.map((round, at) => round[field] / base[at]![field])
  const memory = target.memory()
  return {
    name,
    transport,
    p50: median(ratios('p50')),
    p99: median(ratios('p99')),
    p50Range: [Math.min(...ratios('p50')), Math.max(...ratios('p50'))],
    p50Ms: median(own.map((round) => round.p50)),
    perSecond: median(own.map((round) => round.perSecond)),
    startMs,
    ...(memory !== undefined && { memoryMB: memory / 1e6 }),
    listTokens: encode(JSON.stringify(target.tools)).length,
  }
}
