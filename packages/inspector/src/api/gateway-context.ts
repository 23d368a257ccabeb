import { type Context, createContext } from 'preact'
import { useCallback, useContext, useEffect } from 'preact/hooks'
import type { ApiFailure } from './api-failure.ts'
import type { Client } from './client.ts'
import type { LiveEvent } from './contract.ts'
import type { Connection } from './live-stream.ts'

/** What the views use to talk to the gateway. */
export interface GatewayAccess {
  readonly client: Client
  readonly connection: Connection
  /** Changes when all data may be stale: after a new token, or when events were missed. */
  readonly epoch: number
  listen(listener: (event: LiveEvent) => void): () => void
  /** Reconnects now instead of waiting. */
  reconnect(): void
  /** Forgets who the person is, here and in the gateway, and shows how to sign in. */
  signOut(): Promise<void>
  /** Call when the gateway does not know who asks: shows how to sign in. */
  lock(reason: ApiFailure): void
}

export const GatewayContext: Context<GatewayAccess | undefined> = createContext<
  GatewayAccess | undefined
>(undefined)

export function useGateway(): GatewayAccess {
  const access = useContext(GatewayContext)
  if (access === undefined) throw new Error('useGateway must be used inside the app.')
  return access
}

/** Listens to the gateway's events while the component is mounted. */
export function useLiveEvent(listener: (event: LiveEvent) => void): void {
  const { listen } = useGateway()
  useEffect(() => listen(listener), [listen, listener])
}

/** Reloads on every event of these kinds. */
export function useReloadOn(
  { reload }: { readonly reload: () => void },
  ...kinds: readonly LiveEvent['kind'][]
): void {
  useLiveEvent(useCallback(({ kind }) => kinds.includes(kind) && reload(), [reload]))
}
