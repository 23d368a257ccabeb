import type { AuditEntry, StateEntry, TeamSettings, TelemetryEntry } from '../config-file.ts'
import { HTTP_URL } from './common-rules.ts'
import type { ObjectRules } from './object-rules.ts'

/** The settings under `toolsearch` for gateways that serve several people. */
export const TEAM_PROPERTIES: ObjectRules<TeamSettings>['properties'] = {
  identity: {
    kind: 'object',
    definition: 'identity',
    description:
      'How people sign in to the gateway over HTTP. Without it, everybody who can reach the gateway, or has `TOOLSEARCH_TOKEN`, is the same person. Adding or removing it takes effect after a restart.',
  },
  access: {
    kind: 'object',
    definition: 'access',
    description:
      'Who may use which tools, resources and prompts. With it, nothing is allowed unless a rule allows it. Without it, everybody may use everything.',
  },
  profiles: {
    kind: 'object',
    definition: 'profiles',
    description:
      'Selections of servers and tools by name. A profile has an address of its own, `/mcp/p/NAME`.',
  },
  rateLimits: {
    kind: 'objects',
    definition: 'rateLimit',
    description: 'How much may be called in a period. All limits that apply must permit a call.',
  },
  audit: {
    kind: 'object',
    definition: 'audit',
    description: 'Records every request: who, what, when, the decision and the outcome.',
  },
  telemetry: {
    kind: 'object',
    definition: 'telemetry',
    description:
      'OpenTelemetry traces and metrics, a Prometheus endpoint, and structured logs. A change takes effect after a restart.',
  },
  state: {
    kind: 'object',
    definition: 'state',
    description:
      'The databases that several replicas of a gateway share. Without it, state is in memory and in files. A change takes effect after a restart.',
  },
  encryption: {
    kind: 'object',
    definition: 'encryption',
    description:
      'The key that encrypts stored credentials: exactly one of `key`, `keyFile` and `keyring`. A change takes effect after a restart.',
  },
}

export const AUDIT_RULES: ObjectRules<AuditEntry> = {
  properties: {
    to: {
      kind: 'choice',
      choices: ['file', 'postgres'],
      description:
        '`file`: JSON lines in the state folder. `postgres`: the database of `state.postgres`. Defaults to `postgres` if `state.postgres` is set, otherwise to `file`.',
    },
    arguments: {
      kind: 'choice',
      choices: ['none', 'shape', 'redacted', 'full'],
      default: 'shape',
      description:
        'What is recorded of the arguments of a call. `none`: nothing. `shape`: names and types. `redacted`: values, without those that look secret. `full`: all values.',
    },
    days: {
      kind: 'integer',
      min: 1,
      max: 3_650,
      unit: 'days',
      default: 90,
      description: 'How long entries are kept, in days.',
    },
    required: {
      kind: 'boolean',
      default: false,
      description:
        'Whether a request fails if its entry cannot be stored. Every request then waits for its entry.',
    },
  },
}

export const TELEMETRY_RULES: ObjectRules<TelemetryEntry> = {
  properties: {
    otlpUrl: {
      kind: 'text',
      url: HTTP_URL,
      example: 'a URL such as http://127.0.0.1:4318',
      description:
        'Where to send traces and metrics: an OTLP endpoint over HTTP, without `/v1/traces`.',
    },
    otlpHeaders: {
      kind: 'map',
      isExpanded: true,
      keyPattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
      valuePattern: /^[\t\u0020-\u007e\u0080-\u00ff]*$/,
      description:
        'HTTP headers for the OTLP endpoint. Write `${NAME}` for a secret and keep it in that environment variable.',
    },
    metricsPort: {
      kind: 'integer',
      min: 1,
      max: 65_535,
      description: 'The port of the Prometheus endpoint, `http://HOST:PORT/metrics`.',
    },
    metricsHost: {
      kind: 'text',
      description: 'The address that the Prometheus endpoint listens on. Defaults to 127.0.0.1.',
    },
    logs: {
      kind: 'choice',
      choices: ['text', 'json'],
      default: 'text',
      description:
        'The format of log messages on stderr. `json`: one object per line, for log collectors.',
    },
  },
}

export const STATE_RULES: ObjectRules<StateEntry> = {
  properties: {
    redis: {
      kind: 'text',
      url: /^rediss?:\/\/./,
      example: 'a URL such as redis://127.0.0.1:6379, or rediss://… for TLS',
      description:
        'The URL of Redis or Valkey: sessions, long results, counters, locks, announcements. Write `${NAME}` and keep the URL in that environment variable.',
    },
    postgres: {
      kind: 'text',
      url: /^postgres(ql)?:\/\/./,
      example: 'a URL such as postgres://user@host/database',
      description:
        'The URL of PostgreSQL: sign-ins, approvals, keys, audit, history, saved queries. Write `${NAME}` and keep the URL in that environment variable.',
    },
    redisPrefix: {
      kind: 'text',
      pattern: /^[\x21-\x7e]{1,100}$/,
      example: 'up to 100 printable ASCII characters, such as "toolsearch:"',
      description:
        'The start of the names of all keys in Redis, so that gateways can share one Redis. Defaults to `toolsearch:`.',
    },
  },
}

export const DEFAULT_REDIS_PREFIX = 'toolsearch:'
export const DEFAULT_METRICS_HOST = '127.0.0.1'
