import { REDACTED, redactUrl } from './redact.ts'

const SECRETS =
  /^(encryption\.(key|previousKeys)|telemetry\.otlpHeaders|embedder\.apiKey|identity\.issuers\.(proxy|page)\.clientSecret|credentials\.exchange\.clientSecret)(\.|$)/
const URLS = /^(state\.(redis|postgres)|telemetry\.otlpUrl|embedder\.url)$/

/** The settings under `toolsearch` without their secrets, to show them to a person. */
export function redactSettings(settings: unknown, path = ''): unknown {
  if (Array.isArray(settings)) return settings.map((item) => redactSettings(item, path))
  if (typeof settings === 'object' && settings !== null) {
    return Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [
        key,
        redactSettings(value, path === '' ? key : `${path}.${key}`),
      ]),
    )
  }
  if (typeof settings !== 'string') return settings
  if (SECRETS.test(path)) return isReference(settings) ? settings : REDACTED
  return URLS.test(path) && !isReference(settings) ? redactUrl(settings) : settings
}

/** Whether a text only says where a value is stored. */
function isReference(text: string): boolean {
  return /^((Bearer|Basic|Token) +)?(\$\{(env:)?\w+(:-)?\})+$/i.test(text)
}
