import type { TeamSettings } from './config-file.ts'
import { type ConfigReader, nestedPlace, type ObjectReader, type Place } from './config-reader.ts'
import { readAccessConfig } from './read-access-config.ts'
import { readEncryption } from './read-encryption.ts'
import { readIdentity } from './read-identity.ts'
import { readProfiles } from './read-profiles.ts'
import { readRateLimits } from './read-rate-limits.ts'
import {
  AUDIT_RULES,
  DEFAULT_METRICS_HOST,
  DEFAULT_REDIS_PREFIX,
  STATE_RULES,
  TELEMETRY_RULES,
} from './rules/team-rules.ts'
import type { AuditConfig, StateConfig, TeamConfig, TelemetryConfig } from './team-config.ts'
import { withoutMissing } from './without-missing.ts'

export interface ReadTeamOptions {
  /** The configuration file, whose folder other files are relative to. */
  readonly file: string
  /** The place of `toolsearch` at the top level. */
  readonly place: Place
  /** The names of all servers. */
  readonly servers: ReadonlySet<string>
}

type Settings = Pick<ObjectReader<TeamSettings>, 'node' | 'has'>

/** Reads the settings for gateways that serve several people. */
export function readTeam(
  reader: ConfigReader,
  settings: Settings,
  { file, place, servers }: ReadTeamOptions,
): TeamConfig {
  const at = (key: keyof TeamSettings) => nestedPlace(place, key)
  const state = readState(reader, settings, at('state'))
  const identity = readIdentity(reader, settings.node('identity'), at('identity'))
  const issuers = identity?.issuers.map(({ issuer }) => issuer) ?? []
  return withoutMissing<TeamConfig>({
    identity,
    access: readAccessConfig(reader, settings.node('access'), at('access'), { file, issuers }),
    profiles: readProfiles(reader, settings.node('profiles'), at('profiles'), servers),
    rateLimits: readRateLimits(reader, settings.node('rateLimits'), at('rateLimits'), issuers),
    audit: readAudit(reader, settings, at('audit'), state),
    telemetry: readTelemetry(reader, settings, at('telemetry')),
    state,
    encryption: readEncryption(reader, settings.node('encryption'), at('encryption'), file),
  })
}

function readState(reader: ConfigReader, settings: Settings, place: Place): StateConfig {
  const state = reader.object(settings.node('state'), place, STATE_RULES)
  return withoutMissing<StateConfig>({
    redis: state.get('redis'),
    postgres: state.get('postgres'),
    redisPrefix: state.get('redisPrefix') ?? DEFAULT_REDIS_PREFIX,
  })
}

function readAudit(
  reader: ConfigReader,
  settings: Settings,
  place: Place,
  { postgres }: StateConfig,
): AuditConfig | undefined {
  const node = settings.node('audit')
  if (!node) return undefined
  const audit = reader.object(node, place, AUDIT_RULES)
  const to = audit.get('to') ?? (postgres === undefined ? 'file' : 'postgres')
  if (to === 'postgres' && postgres === undefined && !hasPostgres(settings)) {
    const message = `${audit.name('to')} is "postgres", but there is no database.`
    reader.report(audit.node('to') ?? node, message, 'Add "state": { "postgres": "${NAME}" }.')
  }
  const { arguments: recorded, days, required } = AUDIT_RULES.properties
  return {
    to,
    arguments: audit.get('arguments') ?? recorded.default!,
    days: audit.get('days') ?? days.default!,
    required: audit.get('required') ?? required.default!,
  }
}

/** Whether there is a database, even if its URL has been reported as a problem. */
function hasPostgres(settings: Settings): boolean {
  const properties = settings.node('state')?.children ?? []
  return properties.some(({ children }) => children?.[0]?.value === 'postgres')
}

function readTelemetry(
  reader: ConfigReader,
  settings: Settings,
  place: Place,
): TelemetryConfig | undefined {
  const node = settings.node('telemetry')
  if (!node) return undefined
  const telemetry = reader.object(node, place, TELEMETRY_RULES)
  return withoutMissing<TelemetryConfig>({
    otlpUrl: telemetry.get('otlpUrl'),
    otlpHeaders: telemetry.get('otlpHeaders') ?? {},
    metricsPort: telemetry.get('metricsPort'),
    metricsHost: telemetry.get('metricsHost') ?? DEFAULT_METRICS_HOST,
    logs: telemetry.get('logs') ?? TELEMETRY_RULES.properties.logs.default!,
  })
}
