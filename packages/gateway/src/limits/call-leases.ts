import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Budget, LimitCounters, TakenCall } from './limit-counters.ts'
import { ASK_AGAIN_MS, NOW, type RunScript } from './redis-script.ts'

export interface CallLeasesOptions {
  /** How long this process may keep calls that it has not used. */
  readonly leaseMs: number
}

/** So that a replica that dies takes little with it. */
const MAX_LEASE = 100
/** A lease is at most this part of the calls that are left, so that small budgets have none. */
const SHARE = 16

/**
 * Takes calls from a budget, and further ones as a lease if the budget is large enough.
 *
 * KEYS: the budget (a hash of the count and of the epoch, which is unique to the period), its leases (a
 * sorted set of replicas by the end of their leases).
 * ARGV: replica, unused calls of a lease before, their epoch, wanted calls, wanted lease, maximum, period,
 * how long others wait for it, epoch of a new period.
 * Returns: granted calls, epoch, milliseconds until the period ends, number of other replicas with a lease.
 */
const TAKE = `${NOW}
local count = tonumber(redis.call('HGET', KEYS[1], 'count'))
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if not count then
  count = 0
  epoch = ARGV[9]
  redis.call('HSET', KEYS[1], 'epoch', epoch)
  redis.call('PEXPIRE', KEYS[1], ARGV[7])
elseif epoch == ARGV[3] then
  count = count - tonumber(ARGV[2])
end
local room = math.max(0, tonumber(ARGV[6]) - count)
local granted = math.min(room, tonumber(ARGV[4]))
local lease = math.min(tonumber(ARGV[5]), math.floor((room - granted) / ${SHARE}))
redis.call('HSET', KEYS[1], 'count', count + granted + lease)
if lease > 0 then
  redis.call('ZADD', KEYS[2], now + ARGV[8], ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[8])
else
  redis.call('ZREM', KEYS[2], ARGV[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
return {granted + lease, epoch, redis.call('PTTL', KEYS[1]), redis.call('ZCARD', KEYS[2])}`

/** Gives calls back, unless their period is over. ARGV: replica if its lease has ended, calls, their epoch. */
const GIVE_BACK = `
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[3] then return 0 end
return redis.call('HINCRBY', KEYS[1], 'count', -ARGV[2])`

/** A budget as this process knows it. */
interface Known extends Budget {
  readonly key: string
  /** Calls that are counted in Redis and have not been used. */
  left: number
  epoch: string
  /** Whether the other replicas know that this one has calls in advance. */
  hasLease: boolean
  /** When the period ends, or the lease. */
  usableUntil: number
  waiting: Waiting[]
  isAsking: boolean
  /** How many calls came since Redis was asked last, and when that was. */
  recent: number
  askedAt: number
  timer?: NodeJS.Timeout
}

interface Waiting {
  readonly since: number
  readonly resolve: (taken: TakenCall) => void
  readonly reject: (error: unknown) => void
}

interface Answer {
  /** For how many calls Redis was asked. */
  readonly asked: number
  readonly resetMs: number
  /** How many other replicas have a lease. */
  readonly others: number
}

/**
 * Counts calls in Redis without asking it each time: if calls come often and the budget is large enough, a
 * replica takes some calls in advance, for a short time. They are counted as used from the beginning, so
 * the replicas together never exceed the budget. A call that finds the budget empty waits until the other
 * replicas have used their leases or given them back, so none is refused too early.
 */
export function createCallLeases(
  runScript: RunScript,
  { leaseMs }: CallLeasesOptions,
): Pick<LimitCounters, 'take' | 'close'> {
  const replica = randomUUID()
  const known = new Map<string, Known>()

  function find(key: string, budget: Budget): Known {
    const found = known.get(key)
    if (found) return found
    const created: Known = {
      key,
      ...budget,
      left: 0,
      epoch: '',
      hasLease: false,
      usableUntil: 0,
      waiting: [],
      isAsking: false,
      recent: 0,
      askedAt: Number.NEGATIVE_INFINITY,
    }
    known.set(key, created)
    return created
  }

  function granted(budget: Known): TakenCall {
    const { epoch } = budget
    return {
      isTaken: true,
      undo() {
        // Other replicas do not wait for a call that is kept without a lease.
        const isCurrent = budget.epoch === epoch && performance.now() < budget.usableUntil
        if (isCurrent && budget.hasLease && budget.timer) budget.left += 1
        else giveBack(budget, { calls: 1, epoch, leaseOf: '' })
      },
    }
  }

  function giveBack(
    { key }: Known,
    { calls, epoch, leaseOf }: { calls: number; epoch: string; leaseOf: string },
  ): void {
    // If that fails, they stay counted until the period ends.
    runScript(GIVE_BACK, keysOf(key), [leaseOf, String(calls), epoch]).catch(() => {})
  }

  /** Asks Redis until nobody waits. */
  async function ask(budget: Known): Promise<void> {
    budget.isAsking = true
    clearTimeout(budget.timer)
    delete budget.timer
    while (budget.waiting.length > 0) {
      try {
        const answer = await askOnce(budget)
        settle(budget, answer)
        if (answer.others > 0 && budget.waiting.length > 0) await delay(ASK_AGAIN_MS)
      } catch (error) {
        for (const { reject } of budget.waiting.splice(0)) reject(error)
      }
    }
    budget.isAsking = false
    budget.timer = setTimeout(() => forget(budget), leaseMs).unref()
  }

  async function askOnce(budget: Known): Promise<Answer> {
    const { key, left, epoch, max, periodSeconds, waiting, recent } = budget
    const asked = waiting.length
    const now = performance.now()
    // As many as came since the last time, and the same again.
    const lease = now - budget.askedAt < leaseMs ? Math.min(MAX_LEASE, recent * 2) : 0
    Object.assign(budget, { left: 0, recent: 0, askedAt: now })
    const period = periodSeconds * 1_000
    const args = [
      replica,
      left,
      epoch,
      waiting.length,
      lease,
      max,
      period,
      2 * leaseMs,
      randomUUID(),
    ]
    const answer = await runScript(TAKE, keysOf(key), args.map(String))
    const [calls, current, resetMs, others] = answer as [number, string, number, number]
    budget.left = calls
    budget.hasLease = calls > asked
    budget.epoch = current
    // Measured from the moment of the question, so that no call is used in the next period.
    budget.usableUntil = now + Math.min(leaseMs, resetMs)
    return { asked, resetMs, others }
  }

  /** Answers those for whom Redis was asked: with calls while there are some, then with a refusal. */
  function settle(budget: Known, { asked, resetMs, others }: Answer): void {
    const { waiting, left } = budget
    const served = waiting.splice(0, Math.min(asked, left))
    budget.left -= served.length
    for (const { resolve } of served) resolve(granted(budget))
    const unserved = waiting.splice(0, asked - served.length)
    // Leases that others keep renewing cannot be waited for.
    const patience = performance.now() - 3 * leaseMs
    const refused = unserved.filter(({ since }) => others === 0 || since < patience)
    for (const { resolve } of refused) resolve({ isTaken: false, resetMs })
    waiting.unshift(...unserved.filter((each) => !refused.includes(each)))
  }

  function forget(budget: Known): void {
    const { key, left, epoch } = budget
    known.delete(key)
    delete budget.timer
    budget.left = 0
    if (left > 0) giveBack(budget, { calls: left, epoch, leaseOf: replica })
  }

  return {
    take(key, given) {
      const budget = find(key, given)
      budget.recent += 1
      const now = performance.now()
      if (budget.left > 0 && now < budget.usableUntil && budget.waiting.length === 0) {
        budget.left -= 1
        return granted(budget)
      }
      return new Promise((resolve, reject) => {
        budget.waiting.push({ since: now, resolve, reject })
        if (!budget.isAsking) void ask(budget)
      })
    },
    close() {
      for (const budget of known.values()) {
        clearTimeout(budget.timer)
        forget(budget)
      }
    },
  }
}

function keysOf(key: string): readonly string[] {
  return [key, `${key}:leases`]
}
