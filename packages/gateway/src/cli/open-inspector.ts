import { fileURLToPath } from 'node:url'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { createActivity } from '../inspection/activity/create-activity.ts'
import { createInspection } from '../inspection/create-inspection.ts'
import { type Recorder, recordCalls } from '../inspection/record-calls.ts'
import { createSavedQueries, savedQueriesFile } from '../inspection/saved-queries.ts'
import type { GatewayInternals } from '../open-gateway.ts'
import { version } from '../system/version.ts'
import { clientSnippet } from './client-snippet.ts'

export interface OpenInspector extends Recorder {
  /** Serves the page and its API. */
  readonly handle: (request: Request) => Promise<Response | undefined>
}

export interface OpenInspectorOptions {
  readonly config: () => GatewayConfig
  readonly transport: 'stdio' | 'http'
  readonly hasToken: boolean
}

/** Starts to record what agents do with an open gateway, for the inspector. */
export function openInspector(
  { gateway, servers, approvals, file }: GatewayInternals,
  { config, transport, hasToken }: OpenInspectorOptions,
): OpenInspector {
  const activity = createActivity({ transport })
  const recorder = recordCalls(gateway, activity)
  const inspection = createInspection(
    {
      gateway,
      servers,
      approvals,
      activity,
      saved: createSavedQueries(savedQueriesFile(file)),
      config,
      configFile: file,
      version,
      transport,
      hasToken,
      snippet: (url) => clientSnippet({ configFile: file, url, hasToken }),
    },
    { pageFolder: pageFolder() },
  )
  return {
    ...recorder,
    handle: inspection.handle,
    close() {
      recorder.close()
      inspection.close()
    },
  }
}

/** The published package contains a copy of the page; in the repository, it is a separate package. */
function pageFolder(): string {
  const isSource = import.meta.url.endsWith('.ts')
  const folder = isSource
    ? new URL('dist/', import.meta.resolve('toolsearch-inspector/package.json'))
    : new URL('../inspector/', import.meta.url)
  return fileURLToPath(folder)
}
