import type { JSX } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ActionsProvider } from './actions/actions-provider.tsx'
import { OverviewContext, useLiveOverview } from './overview-context.ts'
import { Palette } from './palette/palette.tsx'
import { useShortcuts } from './palette/use-shortcuts.ts'
import { ErrorBoundary } from './parts/error-boundary.tsx'
import { Header } from './parts/header.tsx'
import { type Route, type View, views } from './routes/route.ts'
import { useRoute } from './routes/use-route.ts'
import { CatalogueView } from './views/catalogue/catalogue-view.tsx'
import { HistoryView } from './views/history/history-view.tsx'
import { LiveView } from './views/live/live-view.tsx'
import { MissesView } from './views/misses/misses-view.tsx'
import { OverviewView } from './views/overview/overview-view.tsx'
import { SearchLabView } from './views/search-lab/search-lab-view.tsx'

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
}

export function App(): JSX.Element {
  const route = useRoute()
  const overview = useLiveOverview()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(route.view)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const openPalette = useCallback(() => setPaletteOpen(true), [])
  useShortcuts(openPalette)
  const title = views.find(({ view }) => view === route.view)!.title
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
    <OverviewContext.Provider value={overview}>
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
        {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
      </ActionsProvider>
    </OverviewContext.Provider>
  )
}
