import type { AuditEntry } from '../audit/audit-entry.ts'
import type { Terminal } from './command.ts'
import { paint } from './format.ts'
import { plain } from './plain.ts'

/** An audit entry in one line, for people. */
export function auditLineText(terminal: Terminal, entry: AuditEntry): string {
  const { at, name, email, person, claimed, profile, client, action, target, outcome } = entry
  const who = [
    name ?? email ?? person,
    claimed && `(claims to be ${claimed})`,
    profile && `in ${profile}`,
    client && `with ${client}`,
  ]
  const what = [action, target && (target.server ? `${target.server}/${target.name}` : target.name)]
  const start = `${new Date(at).toLocaleString('sv')}  ${join(who)}  ${join(what)}`
  const took = entry.milliseconds === undefined ? '' : `  ${entry.milliseconds.toFixed(0)} ms`
  const searches = (entry.searches ?? []).map(
    ({ query, hits }) => `  "${query}": ${hits.join(', ') || 'no results'}`,
  )
  const cutOff = outcome === 'unknown' ? `no end recorded by ${entry.replica}` : undefined
  const why = cutOff ?? entry.reason ?? entry.error?.split('\n')[0]
  const result = why === undefined || outcome === 'ok' ? outcome : `${outcome}: ${plain(why)}`
  return `${plain(start)}  ${paint(terminal, COLOURS[outcome], result)}${took}${plain(searches.join(''))}`
}

const COLOURS = {
  ok: 'green',
  failed: 'red',
  denied: 'red',
  limited: 'yellow',
  cancelled: 'yellow',
  unknown: 'yellow',
} as const

function join(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
