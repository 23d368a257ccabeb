import { createHash } from 'node:crypto'
import type { Caller } from '../identity/caller.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { GatewayView } from '../offering/gateway-view.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { BackgroundQueue } from '../system/background-queue.ts'

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
  /**
   * Starts to watch a view. Returns a function that stops it.
   *
   * @param isCurrent to be asked before each notification: whether the caller may still learn from this
   *   view. If not, another view is watched by then, which gets the same event.
   */
  readonly watch: (view: GatewayView, isCurrent: () => boolean) => () => void
  /** Runs after the caller got another view with another list of tools. */
  readonly onListChanged: () => void
  /** Runs after the caller got another view, which may have other resources and prompts. */
  readonly onViewChanged: () => void
  /**
   * Where connections without a request get their new view after the rules changed, and where lists are
   * compared. There can be thousands of connections, and no request should wait for them: it gets the
   * new view of its caller at once.
   */
  readonly background: BackgroundQueue
}

export function followCaller(
  gateway: Pick<Gateway, 'view' | 'onViewsChanged'>,
  initial: Caller,
  { watch, onListChanged, onViewChanged, background }: FollowCallerOptions,
): FollowedCaller {
  let caller = initial
  let view = gateway.view(caller)
  let isStopped = false
  /** Whether the caller may have another view by now. */
  let isStale = false
  /** The list that the client may have, until it is compared with the current one. */
  let listBefore: (() => readonly McpTool[]) | undefined
  let unwatch = startWatching()

  function follow(next: Caller): GatewayView {
    caller = next
    isStale = false
    const current = gateway.view(next)
    if (current === view) return view
    compareLater(view)
    view = current
    unwatch()
    unwatch = startWatching()
    onViewChanged()
    return view
  }

  function startWatching(): () => void {
    const watched = view
    return watch(watched, () => currentView() === watched)
  }

  function currentView(): GatewayView {
    return isStale ? follow(caller) : view
  }

  function followLater(): void {
    if (isStale) return
    isStale = true
    background(() => {
      if (!isStopped) currentView()
    })
  }

  function compareLater(before: GatewayView): void {
    if (listBefore) return
    const { lastList } = before
    // Without a last list, the client may have listed tools at another replica.
    listBefore = () => lastList ?? before.listTools()
    background(() => {
      const known = listBefore!
      listBefore = undefined
      if (!isStopped && digestOf(known()) !== digestOf(view.listTools())) onListChanged()
    })
  }

  const stopFollowing = gateway.onViewsChanged(followLater)
  return {
    get caller() {
      return caller
    },
    get view() {
      return currentView()
    },
    follow,
    stop() {
      isStopped = true
      stopFollowing()
      unwatch()
    },
  }
}

const digests = new WeakMap<readonly McpTool[], string>()

/** Connections share the lists of their views, so each list is written only once. */
function digestOf(list: readonly McpTool[]): string {
  const known = digests.get(list)
  if (known !== undefined) return known
  const digest = createHash('sha256').update(JSON.stringify(list)).digest('base64')
  digests.set(list, digest)
  return digest
}
