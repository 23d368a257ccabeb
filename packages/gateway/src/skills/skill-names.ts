import { decodePercent, percentDecodings } from '../system/percent-encoding.ts'

const MARK = 'skill:'
const SCHEME = 'skill://'

/** Whether agents use this name for a skill, or for a file of one. */
export function isSkillName(name: string): boolean {
  return name.startsWith(MARK) && !name.startsWith(SCHEME)
}

/** Whether a URI has the scheme `skill:`, in any spelling that a server may read as this scheme. */
export function isSkillUri(uri: string): boolean {
  return hostsIn(uri).length > 0
}

/** Whether a URI with the scheme `skill:` names one of these servers, as URIs of the gateway do. */
export function namesServer(uri: string, servers: Iterable<string>): boolean {
  const hosts = hostsIn(uri)
  return [...servers].some((server) => hosts.includes(server.toLowerCase()))
}

/** What follows the scheme, by the spellings of a URI. Empty if the scheme is not `skill:`. */
function hostsIn(uri: string): string[] {
  return percentDecodings(uri).flatMap((spelling) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop these characters
    const found = /^skill:[\\/]*([^\\/?#]*)/i.exec(spelling.replace(/[\u0000-\u0020]/g, ''))
    return found ? percentDecodings(found[1]!).map((host) => host.toLowerCase()) : []
  })
}

/**
 * The path of a skill on its server: `acme/refunds` for `skill://acme/refunds/SKILL.md`. Paths of other
 * schemes begin with the scheme, so that two skills of a server never have the same path.
 */
export function pathOfSkill(uri: string): string {
  const [, scheme = '', rest = ''] = /^([^:]*):(?:\/\/)?(.*)\/SKILL\.md$/s.exec(uri) ?? []
  return scheme.toLowerCase() === 'skill' ? rest : `${scheme}/${rest}`
}

/** The name that agents use: `skill:wiki/acme/refunds`. Rules of `access` use the same. */
export function skillName(server: string, path: string): string {
  return `${MARK}${encodeURIComponent(server)}/${path}`
}

/** The server of a skill, and its path there. Undefined for other names. */
export function placeOfSkill(
  name: string,
): { readonly server: string; readonly path: string } | undefined {
  const [, encoded = '', path = ''] = /^skill:([^/]+)\/(.+)$/s.exec(name) ?? []
  const server = decodePercent(encoded)
  return path === '' || server === undefined ? undefined : { server, path }
}

/** The URI under which the gateway serves a file of a skill. No two servers share one. */
export function gatewayUri(name: string, file: string): string {
  return `${SCHEME}${name.slice(MARK.length)}/${file}`
}

/** The name that belongs to a URI of the gateway. Undefined for other URIs. */
export function nameOfUri(uri: string): string | undefined {
  return uri.startsWith(SCHEME) ? `${MARK}${uri.slice(SCHEME.length)}` : undefined
}

/** The path of a file within its skill: `references/GUIDE.md`. */
export function fileOf(skillUri: string, uri: string): string {
  return uri.slice(skillUri.length - 'SKILL.md'.length)
}
