import type { AuditEntry } from '../../audit/audit-entry.ts'
import type { HistoryEntry } from '../history/history-entry.ts'
import type { PeopleReport, PersonSummary } from '../team-api.ts'

export interface PeopleReportOptions {
  /** In milliseconds since 1970. */
  readonly since: number
  /** The audit entries of the period, in any order. Absent without an audit log. */
  readonly audited?: AsyncIterable<AuditEntry> | undefined
  /** The searches and calls of the period, in any order. */
  readonly history: readonly HistoryEntry[]
}

type Seen = { -readonly [Key in keyof PersonSummary]: PersonSummary[Key] }

/**
 * Who has used the gateway. Names, groups and refusals come from the audit log, searches, calls and
 * tokens from the history; without an audit log, people have an id only.
 */
export async function peopleReport(options: PeopleReportOptions): Promise<PeopleReport> {
  const { since, audited, history } = options
  const people = new Map<string, Seen>()

  function seen(id: string, at: string): Seen {
    const person = people.get(id) ?? { id, lastSeen: at, ...NOTHING }
    people.set(id, person)
    return person
  }

  for await (const entry of audited ?? []) {
    const person = seen(entry.person, entry.at)
    if (entry.at >= person.lastSeen) {
      person.lastSeen = entry.at
      if (entry.name !== undefined) person.name = entry.name
      if (entry.email !== undefined) person.email = entry.email
      if (entry.groups !== undefined) person.groups = entry.groups
    }
    if (entry.outcome === 'denied') person.denied += 1
    if (entry.outcome === 'limited') person.limited += 1
  }
  for (const entry of history) {
    if (entry.person === undefined) continue
    const person = seen(entry.person, entry.at)
    if (entry.at > person.lastSeen) person.lastSeen = entry.at
    if (entry.kind === 'search') person.searches += 1
    else person.calls += 1
    person.tokens += entry.cost?.tokens ?? 0
    person.savedTokens += entry.cost?.saved ?? 0
  }
  const list = [...people.values()].sort(
    (a, b) => compare(b.lastSeen, a.lastSeen) || compare(a.id, b.id),
  )
  return { since: new Date(since).toISOString(), people: list, groups: groupsOf(list) }
}

const NOTHING = {
  groups: [],
  searches: 0,
  calls: 0,
  denied: 0,
  limited: 0,
  tokens: 0,
  savedTokens: 0,
}

function groupsOf(people: readonly PersonSummary[]): PeopleReport['groups'] {
  const counts = new Map<string, number>()
  for (const name of people.flatMap(({ groups }) => groups)) {
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, count]) => ({ name, people: count }))
    .sort((a, b) => compare(a.name, b.name))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
