import { matchesPattern, readPattern } from '../access/name-pattern.ts'
import { readPersonId } from '../identity/person.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditFilter } from './audit-store.ts'

/** Compiles a filter to a function that tells whether an entry matches. */
export function matchesFilter(filter: AuditFilter): (entry: AuditEntry) => boolean {
  const { since = 0, until = Number.POSITIVE_INFINITY, notFound } = filter
  const { kind, action, profile, client, outcome, server } = filter
  const person = filter.person?.toLowerCase()
  const text = filter.text?.toLowerCase()
  const tool = filter.tool === undefined ? undefined : readPattern(filter.tool)

  return (entry) => {
    const at = Date.parse(entry.at)
    if (!(at >= since && at < until)) return false
    if (kind !== undefined && entry.kind !== kind) return false
    if (action !== undefined && entry.action !== action) return false
    if (profile !== undefined && entry.profile !== profile) return false
    if (client !== undefined && entry.client !== client) return false
    if (outcome !== undefined && entry.outcome !== outcome) return false
    if (server !== undefined && entry.target?.server !== server) return false
    if (person !== undefined && !namesOf(entry).includes(person)) return false
    if (tool && !targetNames(entry).some((name) => matchesPattern(tool, name))) return false
    if (notFound && !entry.searches?.some(({ hits }) => hits.length === 0)) return false
    return text === undefined || textOf(entry).includes(text)
  }
}

/** How a person can be found, in lower case: as in access rules, and by name. */
export function namesOf({ person, name, email, claimed }: AuditEntry): string[] {
  const ids = [person, claimed].flatMap((id) => {
    const { issuer, subject } = (id && readPersonId(id)) || {}
    return [id, subject, subject && `${issuer} ${subject}`]
  })
  const lower = [...ids, name, email].flatMap((each) => (each ? each.toLowerCase() : []))
  return [...new Set(lower)]
}

function targetNames({ target }: AuditEntry): string[] {
  if (!target) return []
  return target.server === undefined
    ? [target.name]
    : [target.name, `${target.server}/${target.name}`]
}

/** What `text` of a filter is looked for in, in lower case. */
export function textOf(entry: AuditEntry): string {
  const searches = entry.searches?.flatMap(({ query, hits }) => [query, ...hits]) ?? []
  const { action, script, reason, error } = entry
  const texts = [action, script, ...targetNames(entry), reason, error, ...searches]
  return texts
    .filter((each) => each !== undefined)
    .join('\n')
    .toLowerCase()
}
