import type { Node } from 'jsonc-parser'
import { checkSubjects } from './check-subjects.ts'
import type { ConfigReader, Place } from './config-reader.ts'
import { itemPlace } from './item-place.ts'
import { RATE_LIMIT_RULES } from './rules/access-config-rules.ts'
import type { RateLimitConfig } from './team-config.ts'
import { withoutMissing } from './without-missing.ts'

/** Reads the limits on calls. Reports those that limit nothing. */
export function readRateLimits(
  reader: ConfigReader,
  node: Node | undefined,
  { label }: Place,
  issuers: readonly string[],
): readonly RateLimitConfig[] {
  return reader
    .items(node, label)
    .map((item, index) => readRateLimit(reader, item, itemPlace(label, index), issuers))
}

function readRateLimit(
  reader: ConfigReader,
  node: Node,
  place: Place,
  issuers: readonly string[],
): RateLimitConfig {
  const limit = reader.object(node, place, RATE_LIMIT_RULES)
  checkSubjects(reader, limit, issuers)
  const { each, per } = RATE_LIMIT_RULES.properties
  const bounds = ['calls', 'resultBytes', 'concurrent'] as const
  if (node.type === 'object' && !bounds.some(limit.has)) {
    const fix = 'Add "calls", "resultBytes" or "concurrent".'
    reader.report(node, `${place.label} limits nothing.`, fix)
  }
  return withoutMissing<RateLimitConfig>({
    each: limit.get('each') ?? each.default!,
    tools: limit.get('tools'),
    groups: limit.get('groups'),
    people: limit.get('people'),
    calls: limit.get('calls'),
    resultBytes: limit.get('resultBytes'),
    per: limit.get('per') ?? per.default!,
    concurrent: limit.get('concurrent'),
  })
}
