/** The store of the shared state cannot be reached, or did not answer in time. */
export class StateUnavailableError extends Error {
  override readonly name = 'StateUnavailableError'
  readonly code = 'state_unavailable'
}

/** Works across copies of the class. */
export function isStateUnavailable(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === 'state_unavailable'
}
