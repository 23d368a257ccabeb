import { looksSecret, namesSecret } from './looks-secret.ts'

/** Stands where a secret was. */
export const REDACTED = '***'

/**
 * A value that is secret by its place, as an entry of `env` or `headers` is. A reference to a
 * variable says where the secret is kept and stays readable.
 */
export function redactValue(value: string): string {
  return /^((Bearer|Basic|Token) +)?(\$\{(env:)?\w+\})+$/i.test(value) ? value : REDACTED
}

/** An address without its user, password, query values, fragment, and path parts that look like keys. */
export function redactUrl(url: string): string {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url)
  if (!parts) return REDACTED
  const [, scheme, place, query, fragment] = parts
  return `${scheme}${redactPlace(place!)}${redactQuery(query)}${fragment ? `#${REDACTED}` : ''}`
}

function redactPlace(place: string): string {
  const slash = place.indexOf('/')
  const host = slash < 0 ? place : place.slice(0, slash)
  // a password may hold a slash that somebody forgot to encode
  const odd = !host.includes('@') && /:(?!\d*$)/.test(host)
  const at = odd ? place.lastIndexOf('@') : host.lastIndexOf('@')
  if (odd && at < 0 && !host.includes('${') && !host.startsWith('[')) return REDACTED
  const rest = place.slice(at + 1)
  return `${at < 0 ? '' : `${REDACTED}@`}${rest.split('/').map(redactWord).join('/')}`
}

function redactQuery(query: string | undefined): string {
  if (!query) return ''
  const pairs = query.slice(1).split('&')
  return `?${pairs.map((pair) => (pair.includes('=') ? `${pair.slice(0, pair.indexOf('='))}=${redactValue(pair.slice(pair.indexOf('=') + 1))}` : REDACTED)).join('&')}`
}

function redactWord(word: string): string {
  return looksSecret(word) ? REDACTED : word
}

/**
 * Arguments without what looks like a key: the value of `--token`, `--api-key=…` or `-e KEY=…`, a
 * header, the secret parts of an address, and words that look like keys wherever they stand.
 */
export function redactArgs(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? ''
    const isValue = before.startsWith('-') && !before.includes('=') && !arg.startsWith('-')
    return redactArg(arg, isValue && namesSecret(before.replace(/^-+/, '')))
  })
}

function redactArg(arg: string, secret: boolean): string {
  const named = /^(-{0,2}[\w.-]+)(=|:\s*)(?!\/\/)(.*)$/s.exec(arg)
  if (named) {
    const [, name, sign, value] = named
    return `${name}${sign}${secret || namesSecret(name!) ? redactValue(value!) : redactArg(value!, false)}`
  }
  if (secret) return redactValue(arg)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(arg)) return redactUrl(arg)
  // within a longer text, as in `sh -c`, each word is looked at by itself
  if (/\s/.test(arg))
    return redactArgs(arg.split(/(?<=\s)(?=\S)/).map((word) => word.trimEnd())).join(' ')
  return arg
    .split(/([/@,;"'])/)
    .map(redactWord)
    .join('')
}
