import { useEffect, useState } from 'preact/hooks'
import { createThrottle } from '../api/throttle.ts'
import { formatRoute, parseRoute, type Route } from './route.ts'

// Safari rejects more than 100 URL changes in 30 seconds; typing is faster than that.
const URL_MS = 400

const listeners = new Set<(route: Route) => void>()
let amended: Route | undefined

const urlUpdate = createThrottle(() => {
  if (amended) history.replaceState(null, '', formatRoute(amended.view, amended.params))
}, URL_MS)

/** The current route: from the URL, or newer if the person has typed since. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const readUrl = () => {
      urlUpdate.cancel()
      amended = undefined
      setRoute(parseRoute(location.hash))
    }
    listeners.add(setRoute)
    addEventListener('hashchange', readUrl)
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
  if (amended) history.replaceState(null, '', formatRoute(amended.view, amended.params))
  urlUpdate.cancel()
  amended = undefined
  history.pushState(null, '', formatRoute(view, params))
  for (const listener of listeners) listener({ view, params })
}

/** Changes the current route without a new entry in the browser history. */
export function amendRoute(
  { view, params }: Route,
  change: Readonly<Record<string, string | undefined>>,
): void {
  amended = parseRoute(formatRoute(view, { ...params, ...change }))
  urlUpdate.call()
  for (const listener of listeners) listener(amended)
}
