import { type MissReport, missReport } from '../activity/miss-report.ts'
import type { CatalogueSnapshot } from '../catalogue-snapshot.ts'
import { historyPage } from '../history/history-page.ts'
import type { Period } from '../history/history-store.ts'
import { timeline } from '../history/timeline.ts'
import type { InspectionTarget } from '../inspection-target.ts'
import { readHistoryFilter, readPeriod } from '../read-action.ts'
import { sampleSession } from '../sample-session.ts'
import { nowOf, type Routes } from './route.ts'

const DAY_MS = 86_400_000

/** What agents do and have done. */
export const ACTIVITY_ROUTES: Routes = {
  '/api/activity': { GET: async ({ target }) => target.activity.report() },
  '/api/history': {
    GET: async ({ target, url }) => {
      const filter = readHistoryFilter(url)
      const period = readPeriod(url, { now: nowOf(target), defaultSince: 0 })
      const { history } = target
      return historyPage(await history.read(period), period, filter, history.isKept)
    },
  },
  '/api/timeline': {
    GET: async ({ target, url }) => {
      const now = nowOf(target)
      const period = readPeriod(url, { now, defaultSince: now - DAY_MS })
      const { history } = target
      return timeline(await history.read(period), period, history.isKept)
    },
  },
  '/api/misses': {
    GET: async ({ target, snapshot, url, startedAt }) => {
      const period = readPeriod(url, { now: nowOf(target), defaultSince: startedAt })
      return missesOf(target, snapshot(), period)
    },
  },
  '/api/sample': {
    GET: async ({ target, snapshot }) => sampleSession(snapshot().list.tools, nowOf(target)),
  },
  '/api/events': { GET: async ({ live, request }) => live.stream(request.signal) },
}

async function missesOf(
  { gateway, history }: InspectionTarget,
  { list }: CatalogueSnapshot,
  { since, until }: Period,
): Promise<MissReport> {
  const { catalogue } = gateway.toolSearch
  const tools = list.tools
    // Withheld tools are in the list, but not in the catalogue: no search can return them.
    .filter(({ name, isPinned }) => !isPinned && catalogue.has(name))
    .map(({ name, server }) => ({ name, server }))
    .sort((a, b) => compare(a.server, b.server) || compare(a.name, b.name))
  const entries = await history.read({ since, until })
  const searches = entries.filter((entry) => entry.kind === 'search')
  return missReport(searches, ({ miss }) => miss, {
    tools,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
