const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const DEFAULT = LOOPBACK.map((host) => `http://${host}`)
const MAX_LENGTH = 2_048

/**
 * Whether a client may be redirected to a URI. Otherwise anyone could have the codes of people who trust
 * the gateway sent to a site of their own.
 *
 * @param permitted exact addresses. The port of a loopback address is ignored, because clients choose a
 * free one (RFC 8252); a loopback address without a path permits every path. Empty for all loopback
 * addresses
 */
export function isPermittedRedirect(uri: unknown, permitted: readonly string[]): uri is string {
  if (typeof uri !== 'string' || uri.length > MAX_LENGTH || !URL.canParse(uri)) return false
  const url = new URL(uri)
  if (url.hash !== '' || uri.includes('#') || url.username !== '' || url.password !== '') {
    return false
  }
  return (permitted.length === 0 ? DEFAULT : permitted).some((entry) => {
    if (entry === uri) return true
    if (!URL.canParse(entry)) return false
    const allowed = new URL(entry)
    return (
      isLoopback(allowed) &&
      isLoopback(url) &&
      url.hostname === allowed.hostname &&
      (allowed.pathname === '/' || allowed.pathname === url.pathname)
    )
  })
}

/** Who receives what is sent to a URI, for people to read. */
export function receiverOf(uri: string): string {
  const url = new URL(uri)
  if (isLoopback(url)) return `an application on this computer (${url.host})`
  return url.protocol === 'https:' ? url.origin : `the application that opens ${url.protocol} links`
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.includes(hostname)
}
