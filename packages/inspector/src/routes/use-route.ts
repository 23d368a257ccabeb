import { useEffect, useState } from 'preact/hooks'
import { createSoon } from '../api/soon.ts'
import { formatRoute, parseRoute, type Route } from './route.ts'

// Safari refuses more than 100 changes of the address in half a minute; who types is faster
const ADDRESS_MS = 400

const followers = new Set<(route: Route) => void>()
let amended: Route | undefined

const address = createSoon(() => {
  if (amended) history.replaceState(null, '', formatRoute(amended.view, amended.params))
}, ADDRESS_MS)

/** What the page shows now: what its address says, or what was typed since. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const follow = () => {
      address.end()
      amended = undefined
      setRoute(parseRoute(location.hash))
    }
    followers.add(setRoute)
    addEventListener('hashchange', follow)
    return () => {
      followers.delete(setRoute)
      removeEventListener('hashchange', follow)
    }
  }, [])
  return route
}

/** Goes to another address at once, with a step to go back by. */
export function openRoute({ view, params }: Route): void {
  // what was typed last belongs to the address one may come back to
  if (amended) history.replaceState(null, '', formatRoute(amended.view, amended.params))
  address.end()
  amended = undefined
  history.pushState(null, '', formatRoute(view, params))
  for (const follow of followers) follow({ view, params })
}

/** Shows what was typed or chosen at once, and writes it into the address, without a step to go back by. */
export function amendRoute(
  { view, params }: Route,
  change: Readonly<Record<string, string | undefined>>,
): void {
  amended = parseRoute(formatRoute(view, { ...params, ...change }))
  address.ask()
  for (const follow of followers) follow(amended)
}
