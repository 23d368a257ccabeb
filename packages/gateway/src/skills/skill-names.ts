const MARK = 'skill:'
const SCHEME = 'skill://'

/** Whether agents use this name for a skill, or for a file of one. */
export function isSkillName(name: string): boolean {
  return name.startsWith(MARK) && !name.startsWith(SCHEME)
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
  const [, server = '', path = ''] = /^skill:([^/]+)\/(.+)$/s.exec(name) ?? []
  try {
    return path === '' ? undefined : { server: decodeURIComponent(server), path }
  } catch {
    return undefined
  }
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
