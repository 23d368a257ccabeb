import { createCatalogueSnapshot } from './catalogue-snapshot.ts'
import { handleApi } from './handle-api.ts'
import type { Inspected } from './inspected.ts'
import { createLiveEvents, type LiveEventsOptions } from './live-events.ts'
import { serverReports } from './overview.ts'
import { createPageFiles } from './page-files.ts'
import { createSearchLab } from './search-lab.ts'

/** The inspector, for whoever has a server to put it on. */
export interface Inspection {
  /** Answers what is asked of the inspector; nothing for what is not its business. Never rejects. */
  handle(request: Request): Promise<Response | undefined>
  close(): void
}

export interface InspectionOptions
  extends Pick<LiveEventsOptions, 'heartbeatMs' | 'gatherMs' | 'maxUnread'> {
  /** Where the built page may be; the first folder that has one counts. */
  readonly pageFolders: readonly string[]
}

const API = '/api'

/** Nothing but what the gateway itself serves, and in no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function createInspection(
  inspected: Inspected,
  { pageFolders, ...liveOptions }: InspectionOptions,
): Inspection {
  const { gateway, servers, activity } = inspected
  const lab = createSearchLab(gateway)
  const survey = createCatalogueSnapshot(inspected)
  const live = createLiveEvents({
    ...liveOptions,
    activity,
    state: () => {
      const { cost, list } = survey()
      return { servers: serverReports(inspected, cost), version: list.version }
    },
  })
  const page = createPageFiles(pageFolders)
  const desk = { inspected, lab, live, survey }
  const stops = [servers.subscribe(live.look), gateway.onListChanged(live.look)]

  return {
    async handle(request) {
      const { pathname } = new URL(request.url)
      const isApi = pathname === API || pathname.startsWith(`${API}/`)
      const response = isApi ? await handleApi(request, desk) : await page.answer(request)
      response?.headers.set('content-security-policy', POLICY)
      response?.headers.set('x-content-type-options', 'nosniff')
      response?.headers.set('referrer-policy', 'no-referrer')
      return response
    },
    close() {
      for (const stop of stops) stop()
      live.close()
      lab.close()
    },
  }
}
