import type { GatewayConfig, ServerConnection } from './gateway-config.ts'
import { REDACTED, redactArgs, redactUrl, redactValue } from './redact-text.ts'

/**
 * A configuration fit to be shown. Names stay; the values of variables and headers are hidden, and
 * so is all that looks like a key in addresses and arguments. Every place that prints a
 * configuration prints this.
 */
export function redact(config: GatewayConfig): GatewayConfig {
  return {
    ...config,
    servers: config.servers.map((server) => ({
      ...server,
      connection: redactConnection(server.connection),
    })),
  }
}

function redactConnection(connection: ServerConnection): ServerConnection {
  if (connection.kind === 'stdio') {
    const { command, args, env } = connection
    const [shown] = redactArgs([command])
    return { ...connection, command: shown!, args: redactArgs(args), env: hideAll(env) }
  }
  const { url, headers, oauth } = connection
  const hidden = { ...connection, url: redactUrl(url), headers: hideAll(headers) }
  if (!oauth) return hidden
  const { clientSecret, privateKey, ...shown } = oauth
  return {
    ...hidden,
    oauth: {
      ...shown,
      ...(clientSecret !== undefined && { clientSecret: REDACTED }),
      ...(privateKey !== undefined && { privateKey: REDACTED }),
    },
  }
}

function hideAll(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, REDACTED]))
}

/**
 * The same for an entry as it stands in a file. What is not known to be harmless is hidden; a
 * `${NAME}` stays, since it only says where the secret is kept.
 */
export function redactEntry(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, redactField(key, value)]),
  )
}

const HARMLESS = new Set(['type', 'cwd', 'description', 'version', 'icon', 'gallery', 'toolsearch'])

function redactField(key: string, value: unknown): unknown {
  if (HARMLESS.has(key)) return value
  if (key === 'command' && typeof value === 'string') return redactArgs([value])[0]
  if (key === 'args' && Array.isArray(value)) return redactArgs(value.map(String))
  if (/^(url|serverUrl)$/.test(key) && typeof value === 'string') return redactUrl(value)
  if (/^(alwaysAllow|autoApprove|disabledTools)$/.test(key)) return value
  return hideTexts(value)
}

function hideTexts(value: unknown): unknown {
  if (typeof value === 'string') return redactValue(value)
  if (typeof value === 'number') return REDACTED
  if (Array.isArray(value)) return value.map(hideTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hideTexts(inner)]))
}
