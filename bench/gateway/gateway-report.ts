import type { Machine } from '../machine.ts'
import type { TransportName } from './contender.ts'

/** The figures of one contender. A figure that could not be measured is missing. */
export interface Row {
  readonly name: string
  readonly transport: TransportName
  /** Why there are no figures. */
  readonly problem?: string
}

/** With one server, `server-everything`. */
export interface OneServerRow extends Row {
  /** Ratio to a direct call over the same transport: the median of the rounds. */
  readonly p50?: number
  readonly p99?: number
  /** The lowest and highest ratio of a round. */
  readonly p50Range?: readonly [number, number]
  readonly p50Ms?: number
  readonly perSecond?: number
  readonly startMs?: number
  readonly memoryMB?: number
  readonly listTokens?: number
}

/** With ten servers of a thousand tools each. */
export interface ManyServersRow extends Row {
  readonly firstListMs?: number
  /** Until a tool of every server could be called. */
  readonly readyMs?: number
  /** The first list after a restart. */
  readonly restartMs?: number
  readonly searchMs?: number
  readonly memoryMB?: number
  readonly tools?: number
  readonly listTokens?: number
}

/** With two servers, one of which never responds. */
export interface SilentServerRow extends Row {
  readonly firstListMs?: number
  /** Until a call to the other server's tool succeeds. */
  readonly firstCallMs?: number
  /** Until a search finds the other server's tool. */
  readonly firstSearchMs?: number
}

export interface GatewayReport {
  readonly date: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly quick: boolean
  readonly oneServer: readonly OneServerRow[]
  readonly manyServers: {
    readonly servers: number
    readonly toolsEach: number
    /** How long the slowest server takes to list its tools without a gateway, all started at once. */
    readonly slowestServerMs: number
    readonly rows: readonly ManyServersRow[]
  }
  readonly silentServer: { readonly limitMs: number; readonly rows: readonly SilentServerRow[] }
}
