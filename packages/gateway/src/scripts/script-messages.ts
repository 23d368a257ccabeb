import type { ScriptsConfig } from '../config/gateway-config.ts'

/** What the gateway sends to the thread of a script. Each is answered with `idle` or `ended`. */
export type ToThread =
  | { readonly kind: 'run'; readonly source: string; readonly bounds: ScriptsConfig }
  /** The end of a call. `json` is the data it returned, or a `CallProblem`. */
  | {
      readonly kind: 'settle'
      readonly call: number
      readonly isError: boolean
      readonly json: string
    }

/** What the thread of a script sends to the gateway. All data of the script is JSON text. */
export type FromThread =
  /** Once, when everything is loaded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'call'; readonly call: number; readonly name: string; readonly json: string }
  | { readonly kind: 'log'; readonly text: string }
  /** The script waits for calls. */
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'ended'
      readonly end: ScriptEnd
      /** How much it logged, including what was not sent. */
      readonly loggedChars: number
      /** Whether the thread cannot run another script. */
      readonly isBroken: boolean
    }

/** Why a call failed, as the script sees it. */
export interface CallProblem {
  readonly message: string
  /** When it is worth trying again. */
  readonly retryAfterMs?: number
}

/** How a script ended. */
export type ScriptEnd =
  | {
      readonly kind: 'returned'
      /** A string as it is, everything else as JSON. Undefined if it returned nothing. */
      readonly text?: string
      /** Tools whose calls were still running when the script returned. */
      readonly unawaited: readonly string[]
      /** Why calls failed that the script never awaited. */
      readonly lost?: readonly ScriptProblem[]
    }
  | { readonly kind: 'failed'; readonly error: ScriptProblem }

/** What went wrong in a script. */
export interface ScriptProblem {
  readonly message: string
  /** In the script as the model wrote it, from 1. */
  readonly line?: number
  readonly column?: number
}
