import type { Caller } from '../identity/caller.ts'
import { createCatalogueSnapshot } from './catalogue-snapshot.ts'
import { createExampleQueries } from './example-queries.ts'
import { handleApi } from './handle-api.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { createLiveEvents, type LiveEventsOptions } from './live-events.ts'
import { serverReports } from './overview.ts'
import { createPageFiles } from './page-files.ts'
import { createSearchLab } from './search-lab.ts'

/** The inspector as a request handler, to be mounted on an HTTP server. */
export interface Inspection {
  /**
   * Resolves to `undefined` for paths that don't belong to the inspector. Never rejects.
   *
   * @param url the address of the request
   * @param caller who sends it
   */
  handle(request: Request, url: URL, caller: Caller): Promise<Response | undefined>
  /** Whether a person's edit of the configuration file is being written and applied now. */
  readonly isEditing: boolean
  close(): void
}

export interface InspectionOptions
  extends Pick<LiveEventsOptions, 'heartbeatMs' | 'batchMs' | 'maxUnread'> {
  /** The folder of the built page. */
  readonly pageFolder: string
}

const API = '/api'
/** The address of a person's accounts, which texts and authorization servers refer to. */
const ACCOUNTS = '/accounts'

/** The page loads only what the gateway itself serves, and nobody may embed it in a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  'media-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function createInspection(
  target: InspectionTarget,
  { pageFolder, ...liveOptions }: InspectionOptions,
): Inspection {
  const { gateway, servers, activity } = target
  const lab = createSearchLab(gateway)
  const snapshot = createCatalogueSnapshot(target)
  const live = createLiveEvents({
    ...liveOptions,
    activity,
    state: () => {
      const { cost, list } = snapshot()
      return { servers: serverReports(target, cost), version: list.version }
    },
  })
  const page = createPageFiles(pageFolder)
  const examples = createExampleQueries(gateway)
  const startedAt = (target.now ?? Date.now)()
  const context = { target, lab, live, snapshot, examples, startedAt }
  const stops = [
    servers.subscribe(live.refresh),
    gateway.onConfigured(live.refresh),
    gateway.onConfigured(() => live.send({ kind: 'config' })),
    gateway.onListChanged(live.refresh),
  ]

  return {
    async handle(request, url, caller) {
      const { pathname, search } = url
      if (pathname === ACCOUNTS) {
        return new Response(null, { status: 303, headers: { location: `/#/accounts${search}` } })
      }
      const isApi = pathname === API || pathname.startsWith(`${API}/`)
      if (isApi) await gateway.ready()
      const response = isApi
        ? await handleApi(request, url, caller, context)
        : await page.answer(request, url)
      response?.headers.set('content-security-policy', POLICY)
      response?.headers.set('x-content-type-options', 'nosniff')
      response?.headers.set('referrer-policy', 'no-referrer')
      return response
    },
    get isEditing() {
      return target.editor?.isEditing ?? false
    },
    close() {
      for (const stop of stops) stop()
      live.close()
      lab.close()
    },
  }
}
