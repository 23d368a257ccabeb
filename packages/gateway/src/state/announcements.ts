import type { SharedState } from './shared-state.ts'

/** What changed. Each replica reads it again from where it is stored. */
export type Announced = 'approvals' | 'keys' | 'sign-ins' | 'saved-queries' | 'accounts' | 'uses'

/**
 * Tells every replica, including this one, that something has changed. Never rejects: replicas that miss
 * an announcement notice the gap when they can reach the store again.
 *
 * @param detail what exactly, such as the id of a key; see `onAnnounced`
 */
export async function announce(state: SharedState, what: Announced, detail = ''): Promise<void> {
  await state.publish(`changed:${what}`, detail).catch(() => {})
}

/**
 * Runs the listener for each announcement, and with undefined if some may have been missed. Resolves to a
 * function that stops it.
 */
export function onAnnounced(
  state: SharedState,
  what: Announced,
  listener: (detail: string | undefined) => void,
): Promise<() => void> {
  return state.subscribe(`changed:${what}`, listener, () => listener(undefined))
}
