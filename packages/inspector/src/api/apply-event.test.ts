import { describe, expect, it } from 'vitest'
import { applyToActivity } from './apply-event.ts'
import type { ActivityEvent, SessionReport } from './contract.ts'

const eventOf = (id: number): ActivityEvent => ({
  kind: 'search',
  id,
  at: '2026-11-16T03:00:00Z',
  session: 'a',
  client: 'test',
  milliseconds: 1,
  size: 10,
  query: 'mail',
  hits: [],
  candidates: [],
  servers: [],
  tokens: 3,
})
const sessionOf = (id: string, searches = 0) => ({ id, searches }) as SessionReport

describe('applyToActivity', () => {
  it('puts the latest event first, without duplicates', () => {
    const report = { sessions: [], running: [], events: [eventOf(2), eventOf(1)] }
    const once = applyToActivity(report, { kind: 'activity', event: eventOf(3) })
    const twice = applyToActivity(once, { kind: 'activity', event: eventOf(3) })
    expect(twice.events.map(({ id }) => id)).toEqual([3, 2, 1])
  })

  it('keeps at most 500 events', () => {
    let report = { sessions: [], running: [], events: [] } as Parameters<typeof applyToActivity>[0]
    for (let id = 0; id < 700; id++)
      report = applyToActivity(report, { kind: 'activity', event: eventOf(id) })
    expect(report.events).toHaveLength(500)
    expect(report.events[0]!.id).toBe(699)
  })

  it('replaces a session and moves it to the top', () => {
    const report = { sessions: [sessionOf('a'), sessionOf('b')], running: [], events: [] }
    const next = applyToActivity(report, { kind: 'session', session: sessionOf('b', 2) })
    expect(next.sessions).toEqual([sessionOf('b', 2), sessionOf('a')])
  })

  it('does not change on events of other kinds', () => {
    const report = { sessions: [], running: [], events: [] }
    expect(applyToActivity(report, { kind: 'saved' })).toBe(report)
  })
})
