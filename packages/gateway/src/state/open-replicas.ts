import type { StateConfig } from '../config/team-config.ts'
import { fingerprint } from '../system/fingerprint.ts'
import type { ReplicaCalls } from './replica-calls.ts'
import type { SharedState } from './shared-state.ts'

/** Calls to the other replicas. Undefined if there cannot be any, because nothing is shared. */
export async function openReplicas(
  state: SharedState,
  { redis, redisPrefix }: StateConfig,
): Promise<ReplicaCalls | undefined> {
  if (redis === undefined || !state.isShared) return undefined
  const { createReplicaCalls } = await import('./replica-calls.ts')
  // Without the password: clients see the ids of replicas.
  const { host, pathname } = new URL(redis)
  return createReplicaCalls(state, { group: fingerprint([host, pathname, redisPrefix]) })
}
