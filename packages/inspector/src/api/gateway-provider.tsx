import type { ComponentChildren, JSX } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { MeContext } from '../me-context.ts'
import { SignInForm } from '../parts/sign-in-form.tsx'
import { Failed } from '../parts/states.tsx'
import { TokenForm } from '../parts/token-form.tsx'
import { type ApiFailure, isLocking } from './api-failure.ts'
import { createClient } from './client.ts'
import type { LiveEvent, Me } from './contract.ts'
import { type GatewayAccess, GatewayContext } from './gateway-context.ts'
import { type Connection, openLiveStream } from './live-stream.ts'
import type { TokenStore } from './token-store.ts'

export interface GatewayProviderProps {
  readonly tokens: TokenStore
  readonly children: ComponentChildren
}

/** Holds the connection to the gateway, and asks for credentials if the gateway requires them. */
export function GatewayProvider({ tokens, children }: GatewayProviderProps): JSX.Element {
  const client = useMemo(() => createClient(tokens.get), [tokens])
  const listeners = useRef(new Set<(event: LiveEvent) => void>()).current
  const [connection, setConnection] = useState<Connection>({ kind: 'connecting' })
  const [me, setMe] = useState<Me>()
  const [problem, setProblem] = useState<unknown>()
  const [locked, setLocked] = useState<ApiFailure>()
  const [epoch, setEpoch] = useState(0)
  const [opening, setOpening] = useState(0)
  const hasBeenOpen = useRef(false)
  // Events are about the whole gateway, so only administrators receive them.
  const isLive = me?.role === 'administrator'

  const identify = useCallback(async () => {
    setProblem(undefined)
    try {
      setMe(await client.me())
    } catch (error) {
      if (isLocking(error)) setLocked(error)
      else setProblem(error)
    }
  }, [client])
  useEffect(() => void identify(), [identify])

  // `opening` is a dependency so that a change opens a new stream.
  useEffect(() => {
    if (!isLive) return
    return openLiveStream({
      open: client.events,
      onEvent: (event) => {
        for (const listener of listeners) listener(event)
      },
      onConnection: (next) => {
        setConnection(next)
        if (next.kind === 'locked') setLocked(next.reason)
        if (next.kind !== 'open') return
        // Events may have been missed while the connection was lost.
        if (hasBeenOpen.current) setEpoch((last) => last + 1)
        hasBeenOpen.current = true
      },
    })
  }, [client, opening, isLive])

  const listen = useCallback(
    (listener: (event: LiveEvent) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    [listeners],
  )
  const reconnect = useCallback(() => setOpening((last) => last + 1), [])
  const signOut = useCallback(async () => {
    tokens.clear()
    await client.signOut()
    location.reload()
  }, [client, tokens])
  const access: GatewayAccess = useMemo(
    () => ({ client, connection, epoch, listen, reconnect, signOut, lock: setLocked }),
    [client, connection, epoch, listen, reconnect, signOut],
  )

  async function unlock(token: string): Promise<void> {
    const person = await createClient(() => token).me()
    tokens.set(token)
    setMe(person)
    setLocked(undefined)
    setEpoch((last) => last + 1)
    reconnect()
  }

  if (locked?.code === 'sign-in') return <SignInForm unlock={unlock} />
  if (locked) return <TokenForm unlock={unlock} />
  if (problem !== undefined) return <Failed error={problem} retry={identify} />
  // Nothing for the fraction of a second until the gateway answers.
  if (me === undefined) return <main aria-busy="true" />
  return (
    <GatewayContext.Provider value={access}>
      <MeContext.Provider value={me}>{children}</MeContext.Provider>
    </GatewayContext.Provider>
  )
}
