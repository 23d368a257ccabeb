import type { RateLimitConfig } from '../config/team-config.ts'
import { RefusedError } from '../serving/refused-error.ts'
import type { AgentRequest, RequestGate } from '../serving/request-gate.ts'
import type { LimitCounters, Place } from './limit-counters.ts'
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
      return key === undefined ? [] : { limit, key }
    })
  }

  return async (request, next) => {
    const limits = limitsFor(request)
    if (limits.length === 0) return next()
    // All at once: one round trip to Redis.
    const taken = await Promise.all(limits.map((each) => take(counters, each)))
    const failed = taken.find(({ refusal }) => refusal)
    if (failed) {
      await Promise.all(taken.map(({ undo }) => undo()))
      throw failed.refusal
    }
    let resultBytes = 0
    try {
      const answer = await next()
      resultBytes = answer.outcome.resultBytes
      return answer
    } finally {
      // Not awaited: the caller should not wait for another round trip.
      for (const { finish } of taken) void finish(resultBytes)
    }
  }
}

interface KeyedLimit {
  readonly limit: RateLimit
  readonly key: string
}

interface Taken {
  readonly refusal?: RefusedError
  /** Takes back what was counted. Never rejects. */
  undo(): Promise<void>
  /** Counts the result and frees the place. Never rejects. */
  finish(resultBytes: number): Promise<void>
}

/** Counts a request for one limit. Never rejects. */
async function take(counters: LimitCounters, { limit, key }: KeyedLimit): Promise<Taken> {
  const seconds = PERIOD_SECONDS[limit.per]
  const [callsKey, bytesKey, placesKey] = [`${key}:calls`, `${key}:bytes`, `${key}:running`]
  const [calls, bytes, place] = await Promise.allSettled([
    limit.calls === undefined ? undefined : counters.add(callsKey, 1, seconds),
    limit.resultBytes === undefined ? undefined : counters.add(bytesKey, 0, seconds),
    limit.concurrent === undefined ? undefined : counters.enter(placesKey, limit.concurrent),
  ])
  const places = place.status === 'fulfilled' ? place.value : undefined

  function refusal(): RefusedError | undefined {
    if (calls.status === 'rejected') return unavailable(limit)
    if (bytes.status === 'rejected') return unavailable(limit)
    if (place.status === 'rejected') return unavailable(limit)
    if (calls.value && calls.value.total > limit.calls!) {
      return reached(limit, 'calls', calls.value.resetMs)
    }
    if (bytes.value && bytes.value.total >= limit.resultBytes!) {
      return reached(limit, 'resultBytes', bytes.value.resetMs)
    }
    const isFull = limit.concurrent !== undefined && place.value === undefined
    return isFull ? reached(limit, 'concurrent', RETRY_CONCURRENT_MS) : undefined
  }

  const refused = refusal()
  return {
    ...(refused && { refusal: refused }),
    async undo() {
      const isCounted = calls.status === 'fulfilled' && calls.value !== undefined
      await quietly([isCounted && counters.add(callsKey, -1, seconds), leave(places)])
    },
    async finish(resultBytes) {
      const isCounted = limit.resultBytes !== undefined && resultBytes > 0
      await quietly([isCounted && counters.add(bytesKey, resultBytes, seconds), leave(places)])
    },
  }
}

function leave(place: Place | undefined): Promise<void> | undefined {
  return place?.leave()
}

async function quietly(tasks: readonly unknown[]): Promise<void> {
  await Promise.allSettled(tasks)
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
