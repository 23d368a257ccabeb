import { type AccessRules, hidingRule, readAccessRules } from '../access/access-rules.ts'
import { createRuleSubjects } from '../access/rule-subjects.ts'
import type { RateLimitConfig } from '../config/team-config.ts'
import { methodOf } from '../protocol/methods.ts'
import type { AgentRequest, RequestTarget } from '../serving/request-gate.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import { fingerprint } from '../system/fingerprint.ts'

/** A rule of the configuration, ready to be applied. */
export interface RateLimit extends RateLimitConfig {
  /** Where it is in the configuration, such as `toolsearch.rateLimits[0]`. */
  readonly place: string
  /**
   * The key of the counters for a request: requests with the same key are counted together. Undefined if
   * the rule is not for the request.
   */
  readonly keyFor: (request: AgentRequest) => string | undefined
}

/** Hashes that are remembered, because every request needs one. */
const MAX_KEYS = 10_000

export function readRateLimits(configs: readonly RateLimitConfig[]): readonly RateLimit[] {
  return configs.map((config, index) => {
    const rulesOf = createRuleSubjects([config])
    const rules =
      config.tools && readAccessRules({ allow: config.tools, deny: [], readOnly: false }, 'gateway')
    // The content instead of the index: a new rule must not inherit the counters of another.
    const base = fingerprint(config)
    const keys = createBoundedMap<string, string>(MAX_KEYS)

    /** Hashed, because names come from outside and can have any length. */
    function keyOf(subject: readonly string[]): string {
      const name = subject.length === 1 ? subject[0]! : JSON.stringify(subject)
      const known = keys.get(name)
      if (known !== undefined) return known
      const key = `limit:${base}:${fingerprint(subject)}`
      keys.set(name, key)
      return key
    }

    return {
      ...config,
      place: `toolsearch.rateLimits[${index}]`,
      keyFor(request) {
        if (!methodOf(request.method).isLimited) return undefined
        if (rulesOf(request.caller.person).length === 0) return undefined
        if (rules && !matchesTarget(rules, request.target)) return undefined
        const subject = subjectOf(request, config.each)
        return subject && keyOf(subject)
      },
    }
  })
}

function subjectOf(
  { caller, target }: AgentRequest,
  each: RateLimitConfig['each'],
): readonly string[] | undefined {
  if (each === 'everybody') return []
  if (each === 'person') return [caller.person.id]
  if (target?.server === undefined) return undefined
  if (each === 'server') return [target.server]
  return target.kind === 'tool' ? [target.server, target.name] : undefined
}

/** Meta tools, such as `tool_search`, have no server and change nothing. */
const META = { readOnlyHint: true, openWorldHint: false }

function matchesTarget(rules: AccessRules, target: RequestTarget | undefined): boolean {
  if (target?.kind !== 'tool' && target?.kind !== 'meta') return false
  const { server = '', name, kind } = target
  const annotations = kind === 'meta' ? META : (target.annotations ?? {})
  return hidingRule({ server, name, annotations }, rules) === undefined
}
