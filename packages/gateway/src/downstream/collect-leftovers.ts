import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Gives memory back after thousands of tools were indexed. */
export interface Leftovers {
  /** So many tools were indexed just now. */
  add(tools: number): void
  /** Forgets what was planned. */
  close(): void
}

export interface LeftoversOptions {
  /** How many tools are worth a collection, which takes some 50 ms. @default 1_000 */
  readonly enough?: number
  /** How long nothing more must have been indexed. @default 1_000 */
  readonly quietMs?: number
  readonly collect?: () => void
}

/**
 * Indexing ten thousand tools leaves 70 MB behind. A program that then waits for calls makes so
 * little garbage of its own that Node would keep that for as long as it runs.
 */
export function collectLeftovers({
  enough = 1_000,
  quietMs = 1_000,
  collect = collectGarbage,
}: LeftoversOptions = {}): Leftovers {
  let indexed = 0
  let timer: NodeJS.Timeout | undefined
  return {
    add(tools) {
      indexed += tools
      clearTimeout(timer)
      if (indexed < enough) return
      timer = setTimeout(() => {
        indexed = 0
        collect()
      }, quietMs).unref()
    },
    close: () => clearTimeout(timer),
  }
}

/** Node has this only behind a flag, which may be set while it runs. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect()
}
