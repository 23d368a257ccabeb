/** The first protocol version without `initialize`: every request carries the client information. */
export const MODERN_VERSION = '2026-07-28'

/** The latest protocol version that starts with `initialize`. */
export const LEGACY_VERSION = '2025-11-25'

/** `modern` is version 2026-07-28; `legacy` is every version that starts with `initialize`. */
export type Era = 'legacy' | 'modern'
