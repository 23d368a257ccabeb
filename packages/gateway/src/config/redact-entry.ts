import { REDACTED, redactArgs, redactUrl } from './redact.ts'
import { redactSettings } from './redact-settings.ts'
import { isSecret } from './secret-values.ts'

/**
 * An entry of a configuration file without its secrets, to show it to a person. `${NAME}` stays, because
 * it only says where the secret is stored.
 */
export function redactEntry(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, redactField(key, value)]),
  )
}

const HARMLESS =
  /^(type|cwd|description|version|icon|gallery|alwaysAllow|autoApprove|disabledTools)$/

function redactField(key: string, value: unknown): unknown {
  if (HARMLESS.test(key)) return value
  if (key === 'toolsearch') return redactFixedValues(value)
  if (key === 'command' && typeof value === 'string') return redactArgs([value])[0]
  if (key === 'args' && Array.isArray(value)) return redactArgs(value.map(String))
  if (/^(url|serverUrl)$/.test(key) && typeof value === 'string') return redactServerUrl(value)
  return redactNamed(key, value)
}

function redactNamed(name: string, value: unknown): unknown {
  if (typeof value === 'number') return isSecret(name, String(value)) ? REDACTED : value
  if (typeof value === 'string') {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return redactUrl(value)
    return isSecret(name, value) ? REDACTED : value
  }
  if (Array.isArray(value)) return value.map((item) => redactNamed(name, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, redactNamed(key, inner)]),
  )
}

/** A URL may begin with a variable, such as `${HOST}/mcp`. */
function redactServerUrl(url: string): string {
  const [, variable = '', rest = ''] = /^(\$\{(?:env:)?\w+(?::-)?\})([/?#].*)?$/s.exec(url) ?? []
  if (variable === '') return redactUrl(url)
  const placeholder = 'http://host'
  return `${variable}${redactUrl(`${placeholder}${rest}`).slice(placeholder.length)}`
}

/** The fixed value of a tool's parameter can be a key as well. */
function redactFixedValues(settings: unknown): unknown {
  return JSON.parse(JSON.stringify(redactSettings(settings)), function redactMember(key, value) {
    const isParameters = key === 'parameters' && typeof value === 'object'
    return isParameters ? redactAll(value) : value
  })
}

function redactAll(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return REDACTED
  if (Array.isArray(value)) return value.map(redactAll)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactAll(inner)]))
}
