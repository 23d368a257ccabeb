import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../audit/audit-entry.ts'
import type { HistoryEntry } from '../history/history-entry.ts'
import { peopleReport } from './people-report.ts'

const alice = 'https%3A%2F%2Flogin alice'
const bob = 'https%3A%2F%2Flogin bob'

function audited(entry: Partial<AuditEntry>): AuditEntry {
  const at = '2026-11-17T10:00:00.000Z'
  return {
    id: at,
    at,
    kind: 'request',
    action: 'tools/call',
    person: alice,
    outcome: 'ok',
    ...entry,
  }
}

function called(entry: Partial<HistoryEntry>): HistoryEntry {
  const at = '2026-11-17T10:00:00.000Z'
  const figures = { milliseconds: 1, size: 1, tokens: 1 }
  const base = { id: at, at, session: 's', client: 'c', ...figures }
  return { ...base, kind: 'call', tool: 'a__b', person: alice, ...entry } as HistoryEntry
}

async function* stream(entries: readonly AuditEntry[]): AsyncIterable<AuditEntry> {
  yield* entries
}

describe('peopleReport', () => {
  it('counts requests, refusals and tokens of each person', async () => {
    const report = await peopleReport({
      since: 0,
      audited: stream([
        audited({ name: 'Alice', groups: ['ops'] }),
        audited({ outcome: 'denied' }),
        audited({ outcome: 'limited', person: bob }),
      ]),
      history: [
        called({ cost: { tokens: 10, saved: 90 } }),
        called({ kind: 'search', query: 'x', cost: { tokens: 5, saved: 40 } } as never),
      ],
    })
    expect(report.people).toMatchObject([
      { id: alice, name: 'Alice', calls: 1, searches: 1, denied: 1, limited: 0, tokens: 15 },
      { id: bob, calls: 0, denied: 0, limited: 1, savedTokens: 0 },
    ])
    expect(report.people[0]).toMatchObject({ savedTokens: 130 })
  })

  it('takes name and groups of the latest entry, whatever the order', async () => {
    const later = audited({ at: '2026-11-17T12:00:00.000Z', groups: ['new'], name: 'A. Adams' })
    const earlier = audited({ at: '2026-11-17T11:00:00.000Z', groups: ['old'], name: 'Alice' })
    for (const entries of [
      [later, earlier],
      [earlier, later],
    ]) {
      const { people, groups } = await peopleReport({
        since: 0,
        audited: stream(entries),
        history: [],
      })
      expect(people).toMatchObject([{ name: 'A. Adams', groups: ['new'], lastSeen: later.at }])
      expect(groups).toEqual([{ name: 'new', people: 1 }])
    }
  })

  it('knows people by their id without an audit log, and leaves out the person at the machine', async () => {
    const { person: _, ...local } = called({})
    const { people } = await peopleReport({
      since: 0,
      history: [called({}), local as HistoryEntry],
    })
    expect(people).toMatchObject([{ id: alice, calls: 1, groups: [] }])
  })
})
