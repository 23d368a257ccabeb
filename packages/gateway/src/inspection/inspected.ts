import type { GatewayConfig } from '../config/gateway-config.ts'
import type { Approvals } from '../offering/approvals/approvals.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import type { Activity } from './activity/activity.ts'
import type { SavedQueries } from './saved-queries.ts'

/** What there is to look at. */
export interface Inspected {
  readonly gateway: Gateway
  readonly servers: UpstreamSet
  readonly approvals: Approvals
  readonly activity: Activity
  readonly saved: SavedQueries
  /** The settings of the moment. */
  readonly config: () => GatewayConfig
  readonly configFile: string
  readonly version: string
  /** How agents reach the gateway. */
  readonly transport: 'stdio' | 'http'
  /** Whether a token is asked for. */
  readonly hasToken: boolean
  /** What to put into a client's configuration to reach the gateway at an address, or over stdio. */
  readonly snippet: (url?: string) => string
  /** @default Date.now */
  readonly now?: () => number
}
