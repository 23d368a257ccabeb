import type { Caller } from '../identity/caller.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { GatewayView } from '../offering/gateway-view.ts'

/**
 * The caller of a connection and what they may use. Both can change while the connection is open: the
 * next request may come with other groups, and an administrator may change the rules.
 */
export interface FollowedCaller {
  readonly caller: Caller
  readonly view: GatewayView
  /** Takes note of the caller of a request. Returns what they may use now. */
  follow(caller: Caller): GatewayView
  stop(): void
}

export interface FollowCallerOptions {
  /** Starts to watch a view. Returns a function that stops it. */
  readonly watch: (view: GatewayView) => () => void
  /** Runs after the caller got another view with another list of tools. */
  readonly onListChanged: () => void
  /** Runs after the caller got another view, which may have other resources and prompts. */
  readonly onViewChanged: () => void
}

export function followCaller(
  gateway: Pick<Gateway, 'view' | 'onViewsChanged'>,
  initial: Caller,
  { watch, onListChanged, onViewChanged }: FollowCallerOptions,
): FollowedCaller {
  let caller = initial
  let view = gateway.view(caller)
  let unwatch = watch(view)

  function follow(next: Caller): GatewayView {
    caller = next
    const current = gateway.view(next)
    if (current === view) return view
    const before = view
    view = current
    unwatch()
    unwatch = watch(view)
    if (JSON.stringify(before.listTools()) !== JSON.stringify(view.listTools())) onListChanged()
    onViewChanged()
    return view
  }

  const stopFollowing = gateway.onViewsChanged(() => void follow(caller))
  return {
    get caller() {
      return caller
    },
    get view() {
      return view
    },
    follow,
    stop() {
      stopFollowing()
      unwatch()
    },
  }
}
