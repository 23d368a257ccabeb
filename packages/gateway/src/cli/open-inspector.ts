import { fileURLToPath } from 'node:url'
import type { ActionLog } from '../audit/action-log.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { createInspection, type Inspection } from '../inspection/create-inspection.ts'
import { createConfigEditor } from '../inspection/editing/config-editor.ts'
import { createPageCalls } from '../inspection/page-calls.ts'
import { createSavedQueries, savedQueriesFile } from '../inspection/saved-queries.ts'
import type { GatewayInternals } from '../open-internals.ts'
import type { RequestGate } from '../serving/request-gate.ts'
import { cacheFolder, undoFolder } from '../system/data-folders.ts'
import { createFileChanges } from '../system/file-changes.ts'
import { version } from '../system/version.ts'
import { checkServices } from './check-team.ts'
import { clientSnippet } from './client-snippet.ts'
import { latestProblems } from './latest-problems.ts'
import type { OpenRecording } from './open-recording.ts'
import { createSignInStarter } from './start-sign-in.ts'

export interface OpenInspectorOptions {
  readonly config: () => GatewayConfig
  readonly transport: 'stdio' | 'http'
  readonly hasToken: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** The audit log. Undefined if it is off. */
  readonly audit: AuditLog | undefined
  readonly actions: ActionLog | undefined
  /** Surrounds the calls of people at the page. Undefined if nothing is configured. */
  readonly gate: RequestGate | undefined
}

/** Opens the inspector of a gateway: the page and its API. */
export function openInspector(
  internals: GatewayInternals,
  { activity, history, gateway: recorded }: OpenRecording,
  { config, transport, hasToken, env, audit, actions, gate }: OpenInspectorOptions,
): Inspection {
  const { gateway, servers, approvals, learning, fleet, file, apiKeys, access, records, state } =
    internals
  return createInspection(
    {
      gateway,
      servers,
      approvals,
      activity,
      saved: records.postgres?.savedQueries ?? createSavedQueries(savedQueriesFile(file)),
      history,
      access,
      learning,
      keys: apiKeys,
      audit: audit?.reader,
      actions,
      runCall: createPageCalls(recorded, gate),
      restartServer: fleet.restart,
      startSignIn: createSignInStarter(config, records.signIns),
      editor: createConfigEditor({
        file,
        env,
        changes: createFileChanges(undoFolder(env)),
        current: () => ({ config: config(), servers: servers.upstreams.keys() }),
      }),
      config,
      serviceProblems: latestProblems(() =>
        checkServices({ file, config: config(), records, state }),
      ),
      configFile: file,
      cacheFolder: cacheFolder(env),
      version,
      transport,
      hasToken,
      snippet: (url) => clientSnippet({ configFile: file, url, hasToken, isInspected: true }),
    },
    { pageFolder: pageFolder() },
  )
}

/** The published package contains a copy of the page; in the repository, it is a separate package. */
function pageFolder(): string {
  const isSource = import.meta.url.endsWith('.ts')
  const folder = isSource
    ? new URL('dist/', import.meta.resolve('toolsearch-inspector/package.json'))
    : new URL('../inspector/', import.meta.url)
  return fileURLToPath(folder)
}
