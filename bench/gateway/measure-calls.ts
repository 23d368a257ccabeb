import { quantile } from '../statistics.ts'
import { type Call, isEcho } from './contender.ts'
import type { Running } from './launch.ts'

export interface CallFigures {
  /** Milliseconds per call, one call at a time. */
  readonly p50: number
  readonly p99: number
  /** Throughput with many concurrent callers. */
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
 * Calls `echo` through each contender. Contenders take turns in each round, so that a slow phase of
 * the machine affects all of them. Returns the figures of each round.
 */
export async function measureCalls(
  running: readonly Running[],
  { rounds, calls, parallelCalls }: CallEffort,
  report: (step: string) => void,
): Promise<ReadonlyMap<Running, readonly CallFigures[]>> {
  const echoCalls = new Map<Running, Call>()
  for (const target of running) echoCalls.set(target, await findCall(target))
  const figures = new Map<Running, CallFigures[]>(running.map((target) => [target, []]))
  for (let round = 0; round <= rounds; round++) {
    report(round === 0 ? 'calls: warming up' : `calls: round ${round} of ${rounds}`)
    for (const target of running) {
      const call = echoCalls.get(target)!
      const times = await callInSequence(target, call, calls)
      const perSecond = await callConcurrently(target, call, parallelCalls)
      // The first round warms up compilers and caches.
      if (round === 0) continue
      const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
      figures.get(target)!.push({ p50, p99, perSecond })
    }
  }
  return figures
}

/** Retries until the call works: a gateway may still be connecting to its server. */
async function findCall({ contender, client }: Running): Promise<Call> {
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

async function callInSequence({ client }: Running, call: Call, count: number): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < count; done++) {
    const begin = performance.now()
    const answer = await client.request('tools/call', call)
    times.push(performance.now() - begin)
    if (answer.isError) throw new Error('A call failed.')
  }
  return times
}

async function callConcurrently({ client }: Running, call: Call, count: number): Promise<number> {
  let left = count
  const caller = async () => {
    while (left-- > 0) await client.request('tools/call', call)
  }
  const begin = performance.now()
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return count / ((performance.now() - begin) / 1000)
}
