import type { ActivityReport, LiveEvent, Overview } from './contract.ts'

/** How many events the page keeps in view. */
const KEPT_EVENTS = 500

/** Activity with one more thing that happened: the latest first, nothing twice. */
export function applyToActivity(report: ActivityReport, event: LiveEvent): ActivityReport {
  if (event.kind === 'activity') {
    const others = report.events.filter(({ id }) => id !== event.event.id)
    const events = [event.event, ...others].sort((a, b) => b.id - a.id).slice(0, KEPT_EVENTS)
    return { ...report, events }
  }
  if (event.kind === 'session') {
    const others = report.sessions.filter(({ id }) => id !== event.session.id)
    return { ...report, sessions: [event.session, ...others] }
  }
  return report
}

/** The overview with the states its servers have now. */
export function applyToOverview(overview: Overview, event: LiveEvent): Overview {
  return event.kind === 'servers' ? { ...overview, servers: event.servers } : overview
}
