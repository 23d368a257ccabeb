import type { GatewayConfig } from '../config/gateway-config.ts'

/** The settings that decide what the callers of a view see. Contains visible servers only. */
export interface ViewConfig
  extends Pick<
    GatewayConfig,
    'servers' | 'mode' | 'callTools' | 'pins' | 'limits' | 'scripts' | 'shortcut'
  > {
  /** Replaces the gateway's own instructions. */
  readonly instructions?: string | undefined
  /** What the profile is for, at the start of the instructions. */
  readonly description?: string | undefined
}
