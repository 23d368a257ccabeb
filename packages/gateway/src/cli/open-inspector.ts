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
  /** Answers what the page asks, and for the page itself. */
  readonly handle: (request: Request) => Promise<Response | undefined>
}

export interface OpenInspectorOptions {
  readonly config: () => GatewayConfig
  readonly transport: 'stdio' | 'http'
  readonly hasToken: boolean
}

/** Looks at an open gateway from now on. */
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
    { pageFolders: pageFolders() },
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

/** In the package the page is beside this; in the repository it has a workspace of its own. */
function pageFolders(): string[] {
  const isSource = import.meta.url.endsWith('.ts')
  const folder = isSource ? '../../../inspector/dist' : '../inspector'
  return [fileURLToPath(new URL(folder, import.meta.url))]
}
