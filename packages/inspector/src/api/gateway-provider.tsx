import type { ComponentChildren, JSX } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { TokenForm } from '../parts/token-form.tsx'
import { createClient } from './client.ts'
import type { LiveEvent } from './contract.ts'
import { type GatewayAccess, GatewayContext } from './gateway-context.ts'
import { type Connection, openLiveStream } from './live-stream.ts'
import type { TokenStore } from './token-store.ts'

export interface GatewayProviderProps {
  readonly tokens: TokenStore
  readonly children: ComponentChildren
}

/** Holds the connection to the gateway, and asks for a token if the gateway requires one. */
export function GatewayProvider({ tokens, children }: GatewayProviderProps): JSX.Element {
  const client = useMemo(() => createClient(tokens.get), [tokens])
  const listeners = useRef(new Set<(event: LiveEvent) => void>()).current
  const [connection, setConnection] = useState<Connection>({ kind: 'connecting' })
  const [isLocked, setLocked] = useState(false)
  const [epoch, setEpoch] = useState(0)
  const [opening, setOpening] = useState(0)
  const hasBeenOpen = useRef(false)

  // `opening` is a dependency so that a change opens a new stream.
  useEffect(
    () =>
      openLiveStream({
        open: client.events,
        onEvent: (event) => {
          for (const listener of listeners) listener(event)
        },
        onConnection: (next) => {
          setConnection(next)
          if (next.kind === 'locked') setLocked(true)
          if (next.kind !== 'open') return
          // Events may have been missed while the connection was lost.
          if (hasBeenOpen.current) setEpoch((last) => last + 1)
          hasBeenOpen.current = true
        },
      }),
    [client, opening],
  )

  const listen = useCallback(
    (listener: (event: LiveEvent) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    [listeners],
  )
  const lock = useCallback(() => setLocked(true), [])
  const reconnect = useCallback(() => setOpening((last) => last + 1), [])
  const access: GatewayAccess = useMemo(
    () => ({ client, connection, epoch, listen, reconnect, lock }),
    [client, connection, epoch, listen, reconnect, lock],
  )

  async function unlock(token: string): Promise<void> {
    await createClient(() => token).overview()
    tokens.set(token)
    setLocked(false)
    setEpoch((last) => last + 1)
    reconnect()
  }

  return (
    <GatewayContext.Provider value={access}>
      {isLocked ? <TokenForm unlock={unlock} /> : children}
    </GatewayContext.Provider>
  )
}
