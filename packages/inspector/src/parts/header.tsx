import type { JSX } from 'preact'
import { formatRoute, type View, views } from '../routes/route.ts'
import { ConnectionStatus } from './connection-status.tsx'
import { Icon } from './icon.tsx'
import { ThemeButton } from './theme-button.tsx'

export interface HeaderProps {
  readonly view: View
  readonly onPalette: () => void
}

export function Header({ view, onPalette }: HeaderProps): JSX.Element {
  return (
    <header class="top">
      <p class="mark">
        <span class="mark-name">toolsearch</span> <span class="mark-what">inspector</span>
      </p>
      <nav aria-label="Views">
        <ul>
          {views.map((each) => (
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
        <ThemeButton />
      </div>
    </header>
  )
}
