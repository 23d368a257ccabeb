import type { Machine } from '../speed/machine.ts'
import type { TransportName } from './contender.ts'

/** What one contender did. What could not be measured is left out. */
interface Row {
  readonly name: string
  readonly transport: TransportName
  /** Why there are no figures. */
  readonly problem?: string
}

/** Before one server, `server-everything`. */
export interface OneServerRow extends Row {
  /** As a ratio to the direct call over the same transport: the median of the rounds. */
  readonly p50?: number
  readonly p99?: number
  /** The lowest and the highest ratio of a round. */
  readonly p50Range?: readonly [number, number]
  readonly p50Ms?: number
  readonly perSecond?: number
  readonly startMs?: number
  readonly memoryMB?: number
  readonly listTokens?: number
}

/** Before ten servers of a thousand tools. */
export interface ManyServersRow extends Row {
  readonly firstListMs?: number
  /** Until a search finds something, or, where there is none, until the list has everything. */
  readonly allThereMs?: number
  /** First list of a second start. */
  readonly againMs?: number
  readonly searchMs?: number
  readonly memoryMB?: number
  readonly tools?: number
  readonly listTokens?: number
}

/** Before two servers, one of which never answers. */
export interface SilentServerRow extends Row {
  readonly firstListMs?: number
  /** Until a call of the other server's tool has an answer. */
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
    /** Until the slowest of the servers has listed its tools when asked directly, all at once. */
    readonly slowestServerMs: number
    readonly rows: readonly ManyServersRow[]
  }
  readonly silentServer: { readonly limitMs: number; readonly rows: readonly SilentServerRow[] }
}
