import type { JSX } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ActionsProvider } from './actions/actions-provider.tsx'
import { useMe } from './me-context.ts'
import { OverviewContext, useLiveOverview } from './overview-context.ts'
import { Palette } from './palette/palette.tsx'
import { useShortcuts } from './palette/use-shortcuts.ts'
import { ErrorBoundary } from './parts/error-boundary.tsx'
import { Header } from './parts/header.tsx'
import { type Route, type View, viewsFor } from './routes/route.ts'
import { useRoute } from './routes/use-route.ts'
import { AccountsView } from './views/accounts/accounts-view.tsx'
import { CatalogueView } from './views/catalogue/catalogue-view.tsx'
import { HistoryView } from './views/history/history-view.tsx'
import { LiveView } from './views/live/live-view.tsx'
import { MissesView } from './views/misses/misses-view.tsx'
import { OverviewView } from './views/overview/overview-view.tsx'
import { SearchLabView } from './views/search-lab/search-lab-view.tsx'
import { TeamView } from './views/team/team-view.tsx'

export interface ViewProps {
  readonly route: Route
}

const components: Record<View, (props: ViewProps) => JSX.Element> = {
  overview: OverviewView,
  catalogue: CatalogueView,
  search: SearchLabView,
  live: LiveView,
  history: HistoryView,
  misses: MissesView,
  team: TeamView,
  accounts: AccountsView,
}

export function App(): JSX.Element {
  const isAdministrator = useMe().role === 'administrator'
  return isAdministrator ? <AdministratorApp /> : <Shell />
}

/** Administrators see the whole gateway. */
function AdministratorApp(): JSX.Element {
  return (
    <OverviewContext.Provider value={useLiveOverview()}>
      <Shell />
    </OverviewContext.Provider>
  )
}

function Shell(): JSX.Element {
  const me = useMe()
  const wanted = useRoute()
  const shownViews = viewsFor(me)
  // A link may lead to a view that this person cannot see.
  const isShown = shownViews.some(({ view }) => view === wanted.view)
  const route: Route = isShown ? wanted : { view: shownViews[0]!.view, params: {} }
  const main = useRef<HTMLElement>(null)
  const shown = useRef(route.view)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const openPalette = useCallback(() => setPaletteOpen(true), [])
  useShortcuts(openPalette)
  const title = shownViews.find(({ view }) => view === route.view)!.title
  const ViewOfRoute = components[route.view]

  useEffect(() => {
    document.title = `${title} · toolsearch inspector`
    // Move the focus to the new view, so that keyboard users continue there.
    if (shown.current !== route.view) {
      if (!main.current?.contains(document.activeElement))
        main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    shown.current = route.view
  }, [route.view, title])

  return (
    <ActionsProvider>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Header view={route.view} onPalette={openPalette} />
      <main id="main" ref={main} tabIndex={-1} data-view={route.view}>
        <ErrorBoundary resetKey={route}>
          <ViewOfRoute key={route.view} route={route} />
        </ErrorBoundary>
      </main>
      {isPaletteOpen && me.role === 'administrator' && (
        <Palette onClose={() => setPaletteOpen(false)} />
      )}
    </ActionsProvider>
  )
}
