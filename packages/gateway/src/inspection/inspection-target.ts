import type { Learning } from 'toolsearch/learning'
import type { Access } from '../access/create-access.ts'
import type { ActionLog } from '../audit/action-log.ts'
import type { AuditReader } from '../audit/audit-store.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { ApiKeys } from '../identity/api-keys.ts'
import type { Approvals } from '../offering/approvals/approvals.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { SetupProblem } from '../offering/setup-problem.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import type { RunCall } from '../serving/run-call.ts'
import type { Activity } from './activity/activity.ts'
import type { ConfigEditor } from './editing/config-editor.ts'
import type { History } from './history/keep-history.ts'
import type { SavedQueries } from './saved-queries.ts'

/** The gateway that the inspector shows, with everything its reports need. */
export interface InspectionTarget {
  readonly gateway: Gateway
  readonly servers: UpstreamSet
  readonly approvals: Approvals
  readonly activity: Activity
  readonly saved: SavedQueries
  readonly history: History
  /** Who may use what. */
  readonly access: Pick<Access, 'rightsOf'>
  /** What searches learn from use. Absent if learning was off when the gateway started. */
  readonly learning?: Pick<Learning, 'uses' | 'forget'> | undefined
  /** API keys of machines. Absent if nothing is stored. */
  readonly keys?: ApiKeys | undefined
  /** The audit log. Absent if there is none. */
  readonly audit?: AuditReader | undefined
  /** Records whatever a person changes through the page, also if it fails. Absent if there is no audit log. */
  readonly actions?: ActionLog | undefined
  /** Calls a tool for a person, with the same checks, limits and records as a call of an agent. */
  readonly runCall: RunCall
  /** Resolves when the server has connected or failed; to false if there is no such server. */
  readonly restartServer: (name: string) => Promise<boolean>
  /** Starts an OAuth sign-in and resolves to the URL to open. Rejects with a message for people. */
  readonly startSignIn?: (server: string) => Promise<string>
  /** Absent if the gateway was not opened from a file. */
  readonly editor?: ConfigEditor
  /** Returns the current settings: they change when the configuration file is edited. */
  readonly config: () => GatewayConfig
  /** Identity providers and stores that could not be reached a moment ago. Same reference until they change. */
  readonly serviceProblems?: (() => readonly SetupProblem[]) | undefined
  readonly configFile: string
  /** Where the gateway caches what servers offer. */
  readonly cacheFolder?: string | undefined
  readonly version: string
  /** How agents reach the gateway. */
  readonly transport: 'stdio' | 'http'
  /** Whether requests need a bearer token. */
  readonly hasToken: boolean
  /** Returns the client configuration for a gateway at this URL, or over stdio without one. */
  readonly snippet: (url?: string) => string
  /** @default Date.now */
  readonly now?: () => number
}
