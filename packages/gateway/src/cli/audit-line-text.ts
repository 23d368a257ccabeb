import type { AuditEntry } from '../audit/audit-entry.ts'
import type { Terminal } from './command.ts'
import { paint } from './format.ts'
import { plain } from './plain.ts'

/** An audit entry in one line, for people. */
export function auditLineText(terminal: Terminal, entry: AuditEntry): string {
  const { at, name, email, person, claimed, profile, client, action, target, outcome, script } =
    entry
  const who = [
    name ?? email ?? person,
    claimed && `(claims to be ${claimed})`,
    profile && `in ${profile}`,
    client && `with ${client}`,
  ]
  const what = [
    action,
    target && (target.server ? `${target.server}/${target.name}` : target.name),
    script && `(script ${script})`,
  ]
  const start = `${new Date(at).toLocaleString('sv')}  ${join(who)}  ${join(what)}`
  const took = entry.milliseconds === undefined ? '' : `  ${entry.milliseconds.toFixed(0)} ms`
  const searches = (entry.searches ?? []).map(
    ({ query, hits }) => `  "${query}": ${hits.join(', ') || 'no results'}`,
  )
  const cutOff = outcome === 'unknown' ? `no end recorded by ${entry.replica}` : undefined
  // The rule that allowed a call is not why it failed or was cancelled.
  const rule = outcome === 'denied' || outcome === 'limited' ? entry.reason : undefined
  const why = cutOff ?? rule ?? entry.error?.split('\n')[0]
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
