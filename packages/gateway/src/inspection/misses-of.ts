import { type MissReport, missReport } from './activity/miss-report.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { Inspected } from './inspected.ts'

/** What agents did not get, and what they could have found. */
export function missesOf(
  { gateway, activity, now = Date.now }: Pick<Inspected, 'gateway' | 'activity' | 'now'>,
  { list }: CatalogueSnapshot,
): MissReport {
  const { catalogue } = gateway.toolSearch
  const findable = list.tools
    // what is withheld cannot be found
    .filter(({ name, isPinned }) => !isPinned && catalogue.has(name))
    .map(({ name, server }) => ({ name, server }))
    .sort((a, b) => compare(a.server, b.server) || compare(a.name, b.name))
  return missReport(activity.report(), {
    tools: findable,
    isFound: (name) => activity.timesFound(name) > 0,
    now: now(),
  })
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
