import type { Limits } from './gateway-config.ts'

/** What holds where a configuration does not say otherwise. */
export const DEFAULT_LIMITS: Limits = { connectMs: 10_000, callMs: 30_000, resultChars: 100_000 }
