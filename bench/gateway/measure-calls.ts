import { type Call, isEcho } from './contender.ts'
import type { Running } from './launch.ts'

/** Times of calls one after the other, in milliseconds, and how many a second with many callers. */
export interface CallFigures {
  readonly p50: number
  readonly p99: number
  readonly perSecond: number
}

export interface CallEffort {
  readonly starts: number
  readonly rounds: number
  readonly calls: number
  readonly parallelCalls: number
}

const CALLERS = 32
const MESSAGE = 'hello from the bench'

/**
 * Calls `echo` through each of them, in turns: a round has some calls of everyone, so that a machine
 * that is slow for a while is slow for all. Figures are those of each round.
 */
export async function measureCalls(
  running: readonly Running[],
  { rounds, calls, parallelCalls }: CallEffort,
  report: (step: string) => void,
): Promise<ReadonlyMap<Running, readonly CallFigures[]>> {
  const ways = new Map<Running, Call>()
  for (const one of running) ways.set(one, await findWay(one))
  const figures = new Map<Running, CallFigures[]>(running.map((one) => [one, []]))
  for (let round = 0; round <= rounds; round++) {
    report(round === 0 ? 'calls: warming up' : `calls: round ${round} of ${rounds}`)
    for (const one of running) {
      const call = ways.get(one)!
      const times = await oneByOne(one, call, calls)
      const perSecond = await manyAtOnce(one, call, parallelCalls)
      // the first round is for compilers and caches
      if (round > 0) figures.get(one)!.push({ ...percentiles(times), perSecond })
    }
  }
  return figures
}

/** A gateway may still be connecting: its call is asked for until it works. */
async function findWay({ contender, client }: Running): Promise<Call> {
  for (let attempt = 0; ; attempt++) {
    try {
      const call = await contender.call(client, 'everything', 'echo', { message: MESSAGE })
      const answer = await client.request('tools/call', call)
      if (isEcho(answer, MESSAGE)) return call
      if (attempt === 50) throw new Error(JSON.stringify(answer).slice(0, 300))
    } catch (error) {
      if (attempt === 50) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function oneByOne({ client }: Running, call: Call, count: number): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < count; done++) {
    const begin = performance.now()
    const answer = await client.request('tools/call', call)
    times.push(performance.now() - begin)
    if (answer.isError) throw new Error('a call has failed')
  }
  return times
}

async function manyAtOnce({ client }: Running, call: Call, count: number): Promise<number> {
  let left = count
  const caller = async () => {
    while (left-- > 0) await client.request('tools/call', call)
  }
  const begin = performance.now()
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return count / ((performance.now() - begin) / 1000)
}

function percentiles(times: number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { p50: at(0.5), p99: at(0.99) }
}
