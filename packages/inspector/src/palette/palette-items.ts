import type { Overview, ToolLine } from '../api/contract.ts'
import { formatRoute, type views } from '../routes/route.ts'
import { fuzzyScore } from './fuzzy.ts'

/** Something the palette can open or do. */
export interface PaletteItem {
  readonly kind: 'view' | 'server' | 'action' | 'tool'
  readonly title: string
  /** Next to the title, such as the server of a tool. */
  readonly note?: string
  /** A link to open; items without one call `run`. */
  readonly href?: string
  readonly run?: PaletteAction
}

export type PaletteAction =
  | { readonly kind: 'restart' | 'enable' | 'disable' | 'sign-in'; readonly server: string }
  | { readonly kind: 'theme' }

/** How many items the palette lists. */
const SHOWN = 50

/** Everything the palette offers. */
export function paletteItems(
  overview: Overview | undefined,
  tools: readonly ToolLine[],
  shownViews: typeof views,
): PaletteItem[] {
  const servers = overview?.servers ?? []
  return [
    ...shownViews.map(
      ({ view, title }): PaletteItem => ({ kind: 'view', title, href: formatRoute(view) }),
    ),
    ...servers.map(
      ({ name, isFolders }): PaletteItem => ({
        kind: 'server',
        title: isFolders ? 'Skill folders' : name,
        note: isFolders ? 'show their skills' : 'show its tools',
        href: formatRoute('catalogue', { server: name }),
      }),
    ),
    ...servers.flatMap(({ name, state, isFolders }) =>
      isFolders ? [] : serverActions(name, state),
    ),
    ...(overview?.disabledServers ?? []).map(
      (server): PaletteItem => action(`Enable ${server}…`, { kind: 'enable', server }),
    ),
    action('Switch the theme', { kind: 'theme' }),
    {
      kind: 'action',
      title: 'Show destructive tools',
      href: formatRoute('catalogue', { effect: 'destructive' }),
    },
    {
      kind: 'action',
      title: 'Show hidden tools',
      href: formatRoute('catalogue', { state: 'hidden' }),
    },
    {
      kind: 'action',
      title: 'Show tools with issues',
      href: formatRoute('catalogue', { state: 'issues' }),
    },
    { kind: 'action', title: 'Show a sample session', href: formatRoute('live', { sample: '1' }) },
    ...tools.map(
      ({ name, server }): PaletteItem => ({
        kind: 'tool',
        title: name,
        note: server,
        href: formatRoute('catalogue', { tool: name }),
      }),
    ),
  ]
}

function serverActions(server: string, state: string): PaletteItem[] {
  return [
    action(`Restart ${server}`, { kind: 'restart', server }),
    action(`Disable ${server}…`, { kind: 'disable', server }),
    ...(state === 'needs-sign-in'
      ? [action(`Sign in to ${server}…`, { kind: 'sign-in', server })]
      : []),
  ]
}

function action(title: string, run: PaletteAction): PaletteItem {
  return { kind: 'action', title, run }
}

/** The items that match best; without text, the first ones. */
export function matchingItems(items: readonly PaletteItem[], typed: string): PaletteItem[] {
  if (typed.trim() === '') return items.slice(0, SHOWN)
  return items
    .map((item) => ({ item, score: fuzzyScore(typed, item.title) }))
    .filter((each) => each.score !== undefined)
    .sort((a, b) => b.score! - a.score!)
    .slice(0, SHOWN)
    .map(({ item }) => item)
}
