import type { Node } from 'jsonc-parser'
import { type ConfigReader, quote } from './config-reader.ts'
import type { AdministratorConfig } from './team-config.ts'

/** `ISSUER KIND:NAME`. Only the name is required. */
const ENTRY = /^(?:(https?:\/\/\S+)\s+)?(?:(group|subject|email):)?(.+)$/is

/**
 * Reads who is an administrator. A name without a kind is that of a group, or an email address if it contains @. Reports
 * entries that could be about several issuers: one must not give the rights that are meant for people of another.
 */
export function readAdministrators(
  reader: ConfigReader,
  list: Node | undefined,
  entries: readonly string[],
  issuers: readonly string[],
): AdministratorConfig[] {
  const [only = ''] = issuers
  return entries.map((entry) => {
    const text = entry.trim()
    const report = (message: string, fix: string) =>
      reader.report(list?.children?.find(({ value }) => value === entry) ?? list!, message, fix)
    const [, named, kind, name = ''] = ENTRY.exec(text) ?? []
    const issuer = issuers.find((each) => withoutSlash(each) === withoutSlash(named ?? only))
    if (named !== undefined && issuer === undefined) {
      const fix = `Add it, or write one of ${issuers.join(', ')}.`
      report(`${quote(text)} names an issuer that is not one of "issuers".`, fix)
    } else if (named === undefined && issuers.length > 1) {
      const fix = `Write the issuer in front of it, such as ${quote(`${only} ${text}`)}.`
      report(`${quote(text)} does not say which issuer it is about.`, fix)
    }
    const guessed = name.includes('@') ? 'email' : 'group'
    return {
      issuer: issuer ?? '',
      kind: (kind?.toLowerCase() ?? guessed) as AdministratorConfig['kind'],
      name,
    }
  })
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}
