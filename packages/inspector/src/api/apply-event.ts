import type { ActivityReport, LiveEvent, Overview } from './contract.ts'

/** How many events the page keeps. */
const MAX_EVENTS = 500

/** Adds an event to the activity: latest first, without duplicates. */
export function applyToActivity(report: ActivityReport, event: LiveEvent): ActivityReport {
  if (event.kind === 'activity') {
    const others = report.events.filter(({ id }) => id !== event.event.id)
    const events = [event.event, ...others].sort((a, b) => b.id - a.id).slice(0, MAX_EVENTS)
    return { ...report, events }
  }
  if (event.kind === 'session') {
    const others = report.sessions.filter(({ id }) => id !== event.session.id)
    return { ...report, sessions: [event.session, ...others] }
  }
  if (event.kind === 'running') return { ...report, running: event.calls }
  return report
}

/** Updates the servers of the overview. */
export function applyToOverview(overview: Overview, event: LiveEvent): Overview {
  return event.kind === 'servers' ? { ...overview, servers: event.servers } : overview
}
