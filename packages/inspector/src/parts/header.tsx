import type { JSX } from 'preact'
import { useGateway } from '../api/gateway-context.ts'
import { useMe } from '../me-context.ts'
import { formatRoute, type View, viewsFor } from '../routes/route.ts'
import { ConnectionStatus } from './connection-status.tsx'
import { Icon } from './icon.tsx'
import { ThemeButton } from './theme-button.tsx'

export interface HeaderProps {
  readonly view: View
  readonly onPalette: () => void
}

export function Header({ view, onPalette }: HeaderProps): JSX.Element {
  const me = useMe()
  const { signOut } = useGateway()
  return (
    <header class="top">
      <p class="mark">
        <span class="mark-name">toolsearch</span> <span class="mark-what">inspector</span>
      </p>
      <nav aria-label="Views">
        <ul>
          {viewsFor(me).map((each) => (
            <li key={each.view}>
              <a
                href={formatRoute(each.view)}
                aria-current={each.view === view ? 'page' : undefined}
              >
                {each.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="top-end">
        {me.role === 'administrator' && (
          <>
            <button
              type="button"
              class="palette-open"
              aria-keyshortcuts="Control+K"
              onClick={onPalette}
            >
              <Icon name="search" />
              <span class="visually-hidden">Open the command palette</span>
              <span class="palette-key">Ctrl K</span>
            </button>
            <ConnectionStatus />
          </>
        )}
        {me.features.signIn && (
          <div class="who">
            <span class="muted">{me.name ?? me.email}</span>
            <button type="button" class="link" onClick={signOut}>
              Sign out
            </button>
          </div>
        )}
        <ThemeButton />
      </div>
    </header>
  )
}
