import type { RateLimitConfig } from '../config/team-config.ts'
import { RefusedError } from '../serving/refused-error.ts'
import type { AgentRequest, GatedAnswer, RequestGate } from '../serving/request-gate.ts'
import type { LimitCounters, Place, TakenCall } from './limit-counters.ts'
import { limitMessage } from './limit-message.ts'
import { type RateLimit, readRateLimits } from './read-rate-limits.ts'

export interface LimitsGateOptions {
  /** The rules of the configuration. Called for each request, because people edit them. */
  readonly rules: () => readonly RateLimitConfig[]
}

const PERIOD_SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const
/** Nobody knows when a call ends. */
const RETRY_CONCURRENT_MS = 1_000
const RETRY_UNAVAILABLE_MS = 5_000

const UNAVAILABLE =
  'The gateway cannot check its rate limits, so it refuses the request. Nothing was executed. Try again in a few seconds. If the problem persists, tell the administrator of the gateway.'

/**
 * Refuses requests that exceed a limit. A refused request counts for no other limit. If the counters
 * cannot be reached, requests that a rule is for are refused: limits fail closed.
 */
export function limitsGate(counters: LimitCounters, { rules }: LimitsGateOptions): RequestGate {
  let read: { configs: readonly RateLimitConfig[]; limits: readonly RateLimit[] } | undefined

  function limitsFor(request: AgentRequest): readonly KeyedLimit[] {
    const configs = rules()
    if (read?.configs !== configs) read = { configs, limits: readRateLimits(configs) }
    return read.limits.flatMap((limit) => {
      const key = limit.keyFor(request)
      if (key === undefined) return []
      // The call that it is part of has a place, but not at this server.
      const hasPlace = request.isPart && !isPerServer(limit)
      const { concurrent: _, ...withoutPlaces } = limit
      return { limit: hasPlace ? withoutPlaces : limit, key }
    })
  }

  return (request, next) => {
    const { findTarget } = request
    if (!findTarget || !rules().some(isPerServer)) return pass(limitsFor(request), next)
    // What exceeds another limit makes no server list anything.
    return pass(limitsFor(request), async () => {
      const target = await findTarget()
      const limits = target ? limitsFor({ ...request, target }) : []
      return pass(
        limits.filter(({ limit }) => isPerServer(limit)),
        next,
      )
    })
  }

  function pass(limits: readonly KeyedLimit[], next: Next): Promise<GatedAnswer> {
    if (limits.length === 0) return next()
    // All at once, so that there is at most one round trip to Redis.
    const taking = limits.map((each) => take(counters, each))
    return areKnown(taking)
      ? run(taking, next)
      : Promise.all(taking).then((taken) => run(taken, next))
  }
}

function isPerServer({ each }: RateLimitConfig): boolean {
  return each === 'server'
}

async function run(taken: readonly Taken[], next: Next): Promise<GatedAnswer> {
  const failed = taken.find(({ refusal }) => refusal)
  try {
    if (failed) throw failed.refusal
    const answer = await next()
    const finish = () => {
      for (const each of taken) each.finish(answer.outcome)
    }
    // Not awaited: the caller should not wait for another round trip, or for a server that goes on.
    if (answer.ends) void answer.ends.then(finish)
    else finish()
    return answer
  } catch (error) {
    // Nothing was executed: an inner limit has refused the request.
    for (const { undo } of taken) undo()
    throw error
  }
}

type Next = Parameters<RequestGate>[1]

interface KeyedLimit {
  readonly limit: RateLimit
  readonly key: string
}

/** A request that was counted for one limit, or refused by it. */
interface Taken {
  readonly refusal?: RefusedError | undefined
  /** Takes back what was counted. Never throws. */
  undo(): void
  /** Counts what the request has caused, and frees the place. Never throws. */
  finish(outcome: GatedAnswer['outcome']): void
}

type Counted = readonly [
  calls: TakenCall | undefined,
  bytes: Awaited<ReturnType<LimitCounters['add']>> | undefined,
  place: Place | undefined,
]

/** Counts a request for one limit, immediately if the counters can. Never rejects. */
function take(counters: LimitCounters, { limit, key }: KeyedLimit): Taken | Promise<Taken> {
  const { calls: max, resultBytes, concurrent } = limit
  const periodSeconds = PERIOD_SECONDS[limit.per]
  const bytesKey = `${key}:bytes`
  const takeCall = () =>
    max === undefined ? undefined : counters.take(`${key}:calls`, { max, periodSeconds })
  const counting = [
    takeCall(),
    resultBytes === undefined ? undefined : counters.add(bytesKey, 0, periodSeconds),
    concurrent === undefined ? undefined : counters.enter(`${key}:running`, concurrent),
  ] as const
  const countBytes = (bytes: number) => {
    if (resultBytes === undefined || bytes === 0) return
    // If that fails, the next request is refused because the counters cannot be reached.
    Promise.resolve(counters.add(bytesKey, bytes, periodSeconds)).catch(() => {})
  }
  const finish: Taken['finish'] = ({ resultBytes: bytes, sent = 1 }) => {
    countBytes(bytes)
    // It is too late to refuse them.
    for (let further = 1; further < sent; further++) Promise.resolve(takeCall()).catch(() => {})
  }
  if (areKnown(counting)) return takenOf(limit, counting, finish)
  return Promise.allSettled(counting).then(([calls, bytes, place]) => {
    const counted = [settledValue(calls), settledValue(bytes), settledValue(place)] as const
    const taken = takenOf(limit, counted, finish)
    const isKnown = [calls, bytes, place].every(({ status }) => status === 'fulfilled')
    return isKnown ? taken : { ...taken, refusal: unavailable(limit) }
  })
}

function takenOf(limit: RateLimit, [calls, bytes, place]: Counted, finish: Taken['finish']): Taken {
  return {
    refusal: refusalOf(limit, [calls, bytes, place]),
    undo() {
      if (calls?.isTaken) calls.undo()
      void place?.leave()
    },
    finish(outcome) {
      finish(outcome)
      void place?.leave()
    },
  }
}

function refusalOf(limit: RateLimit, [calls, bytes, place]: Counted): RefusedError | undefined {
  // First: a burst takes calls, and those that find no place give them back.
  if (limit.concurrent !== undefined && place === undefined)
    return reached(limit, 'concurrent', RETRY_CONCURRENT_MS)
  if (calls?.isTaken === false) return reached(limit, 'calls', calls.resetMs)
  return bytes && bytes.total >= limit.resultBytes!
    ? reached(limit, 'resultBytes', bytes.resetMs)
    : undefined
}

function settledValue<Value>(settled: PromiseSettledResult<Value>): Value | undefined {
  return settled.status === 'fulfilled' ? settled.value : undefined
}

function areKnown<Values extends readonly unknown[]>(
  values: Values,
): values is Values & { readonly [At in keyof Values]: Awaited<Values[At]> } {
  return !values.some((value) => value instanceof Promise)
}

function reached(
  limit: RateLimit,
  exceeded: 'calls' | 'resultBytes' | 'concurrent',
  resetMs: number,
): RefusedError {
  const retryAfterMs = Math.max(1, Math.ceil(resetMs))
  return new RefusedError(limitMessage(limit, exceeded, retryAfterMs), {
    outcome: 'limited',
    reason: `${limit.place}.${exceeded}`,
    retryAfterMs,
  })
}

function unavailable({ place }: RateLimit): RefusedError {
  return new RefusedError(UNAVAILABLE, {
    outcome: 'failed',
    reason: `${place}: the shared state cannot be reached`,
    retryAfterMs: RETRY_UNAVAILABLE_MS,
  })
}
