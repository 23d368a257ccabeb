import { type Context, createContext } from 'preact'
import { useCallback, useContext, useEffect } from 'preact/hooks'
import type { Client } from './client.ts'
import type { LiveEvent } from './contract.ts'
import type { Connection } from './live-stream.ts'

/** The gateway as the views know it. */
export interface GatewayAccess {
  readonly client: Client
  readonly connection: Connection
  /** Another number when all that was asked may be out of date: a new token, or events were missed. */
  readonly epoch: number
  listen(listener: (event: LiveEvent) => void): () => void
  /** Tries the connection now instead of waiting. */
  reconnect(): void
  /** Says that a token was refused, so that the person is asked for one. */
  lock(): void
}

export const GatewayContext: Context<GatewayAccess | undefined> = createContext<
  GatewayAccess | undefined
>(undefined)

export function useGateway(): GatewayAccess {
  const access = useContext(GatewayContext)
  if (access === undefined) throw new Error('useGateway is for what stands within the app.')
  return access
}

/** Hears the gateway's events while the component is shown. */
export function useLiveEvent(listener: (event: LiveEvent) => void): void {
  const { listen } = useGateway()
  useEffect(() => listen(listener), [listen, listener])
}

/** Asks again whenever the gateway says that something of these kinds is another. */
export function useReloadOn(
  { reload }: { readonly reload: () => void },
  ...kinds: readonly LiveEvent['kind'][]
): void {
  useLiveEvent(useCallback(({ kind }) => kinds.includes(kind) && reload(), [reload]))
}
