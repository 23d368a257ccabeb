import type { Me } from '../api/contract.ts'

export type View =
  | 'overview'
  | 'catalogue'
  | 'search'
  | 'live'
  | 'history'
  | 'misses'
  | 'team'
  | 'accounts'

/** What the page shows, according to its URL. */
export interface Route {
  readonly view: View
  /** Without empty values. */
  readonly params: Readonly<Record<string, string>>
}

export const views: readonly { readonly view: View; readonly title: string }[] = [
  { view: 'overview', title: 'Overview' },
  { view: 'catalogue', title: 'Catalogue' },
  { view: 'search', title: 'Search lab' },
  { view: 'live', title: 'Live' },
  { view: 'history', title: 'History' },
  { view: 'misses', title: 'Misses' },
  { view: 'team', title: 'Team' },
  { view: 'accounts', title: 'Accounts' },
]

/** The views that have something to show to a person. */
export function viewsFor({ role, features }: Pick<Me, 'role' | 'features'>): typeof views {
  const { people, keys, audit, accounts } = features
  return views.filter(({ view }) => {
    if (view === 'accounts') return accounts || role === 'member'
    if (role === 'member') return false
    return view !== 'team' || people || keys || audit
  })
}

/**
 * Parses the hash of a URL. Unknown views become the overview.
 *
 * @example
 * parseRoute('#/search?query=send+mail') // { view: 'search', params: { query: 'send mail' } }
 */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s)
  const view = views.find((each) => each.view === path)?.view ?? 'overview'
  const params = Object.fromEntries(
    [...new URLSearchParams(search)].filter(([, value]) => value !== ''),
  )
  return { view, params }
}

/** The link to a view, such as `#/live?session=42`. */
export function formatRoute(
  view: View,
  params: Readonly<Record<string, string | undefined>> = {},
): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) if (value) search.set(key, value)
  const path = view === 'overview' ? '' : view
  return `#/${path}${search.size > 0 ? `?${search}` : ''}`
}
