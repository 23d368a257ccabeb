import { useEffect, useState } from 'preact/hooks'
import { formatRoute, parseRoute, type Route } from './route.ts'

const followers = new Set<() => void>()

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const follow = () => setRoute(parseRoute(location.hash))
    followers.add(follow)
    addEventListener('hashchange', follow)
    return () => {
      followers.delete(follow)
      removeEventListener('hashchange', follow)
    }
  }, [])
  return route
}

/** Writes into the address what was typed or chosen, without a step to go back by. */
export function amendRoute(
  { view, params }: Route,
  change: Readonly<Record<string, string | undefined>>,
): void {
  history.replaceState(null, '', formatRoute(view, { ...params, ...change }))
  for (const follow of followers) follow()
}
