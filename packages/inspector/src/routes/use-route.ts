import { useEffect, useState } from 'preact/hooks'
import { createThrottle } from '../api/throttle.ts'
import { formatRoute, parseRoute, type Route } from './route.ts'

// Safari rejects more than 100 URL changes in 30 seconds; typing can be faster.
const URL_MS = 400

const listeners = new Set<(route: Route) => void>()
/** The current route while it is newer than the URL. */
let pendingRoute: Route | undefined

const urlUpdate = createThrottle(() => {
  if (pendingRoute)
    history.replaceState(null, '', formatRoute(pendingRoute.view, pendingRoute.params))
}, URL_MS)

/** The current route, including input that is not in the URL yet. */
export function useRoute(): Route {
  const [first] = useState(location.hash)
  const [route, setRoute] = useState(() => parseRoute(first))
  useEffect(() => {
    const readUrl = () => {
      urlUpdate.cancel()
      pendingRoute = undefined
      setRoute(parseRoute(location.hash))
    }
    listeners.add(setRoute)
    addEventListener('hashchange', readUrl)
    // The URL may have changed between the first render and this effect.
    if (location.hash !== first) readUrl()
    return () => {
      listeners.delete(setRoute)
      removeEventListener('hashchange', readUrl)
    }
  }, [])
  return route
}

/** Opens a route and adds an entry to the browser history. */
export function openRoute({ view, params }: Route): void {
  // The entry to go back to must contain what was typed last.
  if (pendingRoute)
    history.replaceState(null, '', formatRoute(pendingRoute.view, pendingRoute.params))
  urlUpdate.cancel()
  pendingRoute = undefined
  history.pushState(null, '', formatRoute(view, params))
  for (const listener of listeners) listener({ view, params })
}

/** Changes the current route without a new entry in the browser history. */
export function updateRoute(
  { view, params }: Route,
  change: Readonly<Record<string, string | undefined>>,
): void {
  pendingRoute = parseRoute(formatRoute(view, { ...params, ...change }))
  urlUpdate.call()
  for (const listener of listeners) listener(pendingRoute)
}
