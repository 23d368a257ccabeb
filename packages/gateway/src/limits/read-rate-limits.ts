import { type ToolPattern, toolPatterns } from '../access/access-rules.ts'
import { matchesPattern, readPattern } from '../access/name-pattern.ts'
import { createRuleSubjects } from '../access/rule-subjects.ts'
import type { RateLimitConfig } from '../config/team-config.ts'
import type { AgentRequest, RequestTarget } from '../serving/request-gate.ts'
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

/** Requests that make the gateway or a server work. Lists, pings and notifications are not limited. */
const LIMITED = new Set(['tools/call', 'resources/read', 'prompts/get', 'completion/complete'])

export function readRateLimits(configs: readonly RateLimitConfig[]): readonly RateLimit[] {
  return configs.map((config, index) => {
    const patterns = config.tools?.map(readTool)
    const rulesOf = createRuleSubjects([config])
    // The content instead of the index: a new rule must not inherit the counters of another.
    const base = fingerprint(config)
    return {
      ...config,
      place: `toolsearch.rateLimits[${index}]`,
      keyFor(request) {
        if (!LIMITED.has(request.method)) return undefined
        if (rulesOf(request.caller.person).length === 0) return undefined
        if (patterns && !patterns.some((each) => matchesTarget(each, request.target))) {
          return undefined
        }
        const subject = subjectOf(request, config.each)
        // Hashed, because names come from outside and can have any length.
        return subject === undefined ? undefined : `limit:${base}:${fingerprint(subject)}`
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

function readTool(text: string): readonly ToolPattern[] {
  if (text.includes('/')) return toolPatterns(text)
  return [{ server: readPattern('*'), tool: readPattern(text) }]
}

/** Meta tools, such as `tool_search`, have no server. */
function matchesTarget(
  patterns: readonly ToolPattern[],
  target: RequestTarget | undefined,
): boolean {
  if (target?.kind !== 'tool' && target?.kind !== 'meta') return false
  const { server = '', name } = target
  return patterns.some(
    (pattern) => matchesPattern(pattern.server, server) && matchesPattern(pattern.tool, name),
  )
}
