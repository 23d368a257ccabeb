import type { SharedState } from '../state/shared-state.ts'

export type RunScript = NonNullable<SharedState['runScript']>

/** Starts a script: `now` is the clock of Redis, because those of replicas may be apart. */
export const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** How long a process that others may have to wait for waits before it asks again. */
export const ASK_AGAIN_MS = 25
