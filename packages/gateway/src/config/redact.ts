/** The text that replaces a secret. */
export const REDACTED = '***'

/** Hides a value, unless it only refers to a variable: `${NAME}` says where the secret is stored. */
function redactValue(value: string): string {
  return /^((Bearer|Basic|Token) +)?(\$\{(env:)?\w+(:-)?\})+$/i.test(value) ? value : REDACTED
}

/** A URL without credentials, query values, fragment, and path segments that look like keys. */
export function redactUrl(url: string): string {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url)
  if (!parts) return REDACTED
  const [, scheme, hostAndPath, query, fragment] = parts
  const shownFragment = fragment ? `#${REDACTED}` : ''
  return `${scheme}${redactHostAndPath(hostAndPath!)}${redactQuery(query)}${shownFragment}`
}

function redactHostAndPath(text: string): string {
  const slash = text.indexOf('/')
  const host = slash < 0 ? text : text.slice(0, slash)
  // a password may contain a slash that somebody forgot to encode
  const isSplitPassword = !host.includes('@') && /:(?!\d*$)/.test(host)
  const at = isSplitPassword ? text.lastIndexOf('@') : host.lastIndexOf('@')
  if (isSplitPassword && at < 0 && !host.includes('${') && !host.startsWith('[')) return REDACTED
  const rest = text.slice(at + 1)
  return `${at < 0 ? '' : `${REDACTED}@`}${rest.split('/').map(redactWord).join('/')}`
}

function redactQuery(query: string | undefined): string {
  if (!query) return ''
  const pairs = query
    .slice(1)
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0
        ? REDACTED
        : `${pair.slice(0, equals)}=${redactValue(pair.slice(equals + 1))}`
    })
  return `?${pairs.join('&')}`
}

/**
 * Arguments without anything that looks like a secret: the value of `--token`, `--api-key=…` or
 * `-e KEY=…`, headers, the secret parts of URLs, and words that look like keys.
 */
export function redactArgs(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? ''
    const isValue = before.startsWith('-') && !before.includes('=') && !arg.startsWith('-')
    return redactArg(arg, isValue && namesSecret(before.replace(/^-+/, '')))
  })
}

function redactArg(arg: string, isSecret: boolean): string {
  const named = /^(-{0,2}[\w.-]+)(=|:\s*)(?!\/\/)(.*)$/s.exec(arg)
  if (named) {
    const [, name, sign, value] = named
    const shown = isSecret || namesSecret(name!) ? redactValue(value!) : redactArg(value!, false)
    return `${name}${sign}${shown}`
  }
  if (isSecret) return redactValue(arg)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(arg)) return redactUrl(arg)
  // check each word of a longer text, such as the script of `sh -c`
  if (/\s/.test(arg))
    return redactArgs(arg.split(/(?<=\s)(?=\S)/).map((word) => word.trimEnd())).join(' ')
  return arg
    .split(/([/@,;"'])/)
    .map(redactWord)
    .join('')
}

function redactWord(word: string): string {
  return looksSecret(word) ? REDACTED : word
}

/**
 * Whether a word is probably a key or a token. When in doubt, returns true: hiding a harmless word is
 * a small inconvenience, but showing a secret compromises it.
 */
export function looksSecret(word: string): boolean {
  return (
    KNOWN_PREFIX.test(word) ||
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word) ||
    (/[A-Za-z0-9]{20}/.test(word) && /\d/.test(word) && /[A-Za-z]/.test(word)) ||
    (/[\w+/=.-]{32}/.test(word) && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word))
  )
}

const KNOWN_PREFIX =
  /^(sk|pk|rk|gsk|tvly|pplx|hf|r8|fc|key|secret|token|ntn|lin_api|figd|shpat|whsec|dop_v1|gh[opsur]|github_pat|glpat|npm|xox[abeoprs]|xapp|ya29)[-_.][\w.-]{6}|^(AKIA|ASIA|AIza|eyJ|SG\.)[\w.-]{8}/

/** Whether a flag, variable or parameter of this name probably has a secret value. */
export function namesSecret(name: string): boolean {
  return /key|token|secret|pass(w|phrase|$|[_.-])|pwd|auth|credential|bearer|cookie|session|signature|dsn|connection|header|\bpat\b|^-?-?(p|u|H)$/i.test(
    name,
  )
}
