import { decodePercent } from '../system/percent-encoding.ts'
import type { GatewayConfig, ServerConnection } from './gateway-config.ts'
import { looksSecret, namesSecret } from './redact.ts'

/** Shorter values are too likely to be part of an ordinary word. */
const SHORTEST_NAMED = 4
const SHORTEST_UNNAMED = 8

/**
 * The values in a server's configuration that must not appear in its log output or its errors:
 *
 * - values of `env`, headers and query parameters whose name says so, such as `API_KEY` or
 *   `Authorization`, from 4 characters on
 * - other values of `env` and headers from 8 characters on that look like keys or passwords
 * - arguments that `redactArgs` would hide
 * - credentials in URLs, and secrets of `oauth`
 *
 * Plain words, numbers, versions, host names and paths are not secrets, whatever their name: hiding
 * `production` or `/home/me/credentials.json` would make messages useless.
 */
export function secretValues(connection: ServerConnection): readonly string[] {
  if (connection.kind === 'stdio') {
    return [...namedValues(connection.env), ...secretsInArgs(connection.args)]
  }
  const { clientSecret, privateKey, assertion } = connection.oauth ?? {}
  return [
    ...namedValues(connection.headers),
    ...secretsInUrl(connection.url),
    ...[clientSecret, privateKey, assertion].filter((value) => value !== undefined),
  ]
}

/** All secrets in a configuration: those of connections and those of settings. */
export function configSecretValues(config: GatewayConfig): readonly string[] {
  const ofConnections = config.servers.flatMap(({ connection }) => secretValues(connection))
  return [...ofConnections, ...settingSecretValues(config)]
}

/**
 * The values in the settings of a gateway that must not appear in logs, errors and the history: passwords
 * of databases, keys and secrets of OAuth clients. Those of servers' connections are not among them.
 */
export function settingSecretValues(
  config: Pick<GatewayConfig, 'servers' | 'identity' | 'telemetry' | 'state' | 'encryption'>,
): readonly string[] {
  const { servers, identity, telemetry, state, encryption } = config
  return [
    ...[state.redis, state.postgres].flatMap((url) => (url === undefined ? [] : secretsInUrl(url))),
    encryption?.key,
    ...(encryption?.previousKeys ?? []),
    ...(identity?.issuers ?? []).flatMap(({ proxy, page }) => [
      proxy?.clientSecret,
      page?.clientSecret,
    ]),
    ...namedValues(telemetry?.otlpHeaders ?? {}),
    ...servers.map(({ credentials }) =>
      credentials.kind === 'exchange' ? credentials.exchange.clientSecret : undefined,
    ),
  ].filter((value) => value !== undefined)
}

/**
 * Whether to hide a value when a person sees the entry that contains it. Also hides short values, because
 * nothing else is replaced with them. Variables such as `${NAME}` are shown, unless their default is a secret.
 */
export function isSecret(name: string, value: string): boolean {
  const own = value.replace(/\$\{(?:env:)?\w+(?::-([^}]*))?\}/g, '$1').trim()
  if (own === '') return false
  const namesSecretInside = /(key|token|secret|passw|pwd|auth|credential)\w*["']?\s*[:=]/i.test(own)
  return namesSecretInside || secretsIn(name, own, { named: 1, unnamed: 6 }).length > 0
}

function namedValues(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => secretsIn(name, value.trim()))
}

function secretsIn(
  name: string,
  value: string,
  shortest = { named: SHORTEST_NAMED, unnamed: SHORTEST_UNNAMED },
): string[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return secretsInUrl(value)
  const credentials = /^(?:Bearer|Basic|Token|ApiKey) +(.+)$/i.exec(value)?.[1]
  if (credentials !== undefined) return [credentials]
  const isSecret = namesSecret(name)
    ? value.length >= shortest.named && !isHarmless(value)
    : value.length >= shortest.unnamed && (looksSecret(value) || looksRandom(value))
  return isSecret && !isPath(value) ? [value] : []
}

function secretsInArgs(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const flag = /^--?([\w.-]+)$/.exec(args[index - 1] ?? '')?.[1]
    const named = /^-{0,2}([\w.-]+)(?:=|:\s*)(?!\/\/)(.*)$/s.exec(arg)
    if (named) return secretsIn(named[1]!, named[2]!)
    if (flag !== undefined && !arg.startsWith('-') && namesSecret(flag)) return secretsIn(flag, arg)
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(arg)) return secretsInUrl(arg)
    return arg.split(/[\s/@,;"']/).filter(looksSecret)
  })
}

function secretsInUrl(text: string): string[] {
  if (!URL.canParse(text)) return [text]
  const { username, password, pathname, searchParams, hash } = new URL(text)
  // A user name next to a password is rarely secret; on its own, it is often a token.
  const credentials = password === '' ? username : password
  return [
    credentials,
    safeDecode(credentials),
    ...[...searchParams].flatMap(([name, value]) => secretsIn(name, value)),
    ...pathname.split('/').filter(looksSecret),
    ...[hash.slice(1)].filter(looksSecret),
  ].filter((value) => value.length >= SHORTEST_NAMED)
}

function safeDecode(text: string): string {
  return decodePercent(text) ?? text
}

/** Values that people also give to variables such as `AUTH` or `USE_TOKEN`. */
function isHarmless(value: string): boolean {
  return /^(true|false|none|null|auto|always|never|basic|bearer|token|oauth2?|default|enabled|disabled|required|optional|undefined)$/i.test(
    value,
  )
}

function isPath(value: string): boolean {
  return /^(\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/])/.test(value) && !/[+=]/.test(value)
}

/** Whether a value is more than words, numbers and versions, joined by punctuation. */
function looksRandom(value: string): boolean {
  return value
    .split(/[\s_.,:;/@|\\()[\]{}<>"'=-]+/)
    .some((part) => !/^([A-Za-z]*|\d*|\w{1,5}|[vV]?\d+[A-Za-z]{0,3})$/.test(part))
}
