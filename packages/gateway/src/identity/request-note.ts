import type { Caller } from './caller.ts'

/** What is known about an HTTP request whose sender is known, so that it is recorded however it ends. */
export interface RequestNote {
  /** Whether a gate or the API has taken care of it: what of it is recorded is their decision. */
  isRecorded?: boolean
  /** The message in it that was rejected, if it could be read. */
  message?: unknown
  /** Why it was rejected. */
  error?: string
}

const notes = new WeakMap<Caller, RequestNote>()

/** The note about the request that a caller sends: each HTTP request has a caller object of its own. */
export function noteOf(caller: Caller): RequestNote {
  const known = notes.get(caller)
  if (known) return known
  const note: RequestNote = {}
  notes.set(caller, note)
  return note
}
