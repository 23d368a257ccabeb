const replayed = new WeakSet<object>()

/** Marks a request that a client has sent to another replica, and that opens its session on this one. */
export function markReplayed(request: Request): Request {
  replayed.add(request)
  return request
}

/** Whether a request was already counted and recorded elsewhere. */
export function isReplayed(request: Request | undefined): boolean {
  return request !== undefined && replayed.has(request)
}
