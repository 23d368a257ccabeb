import type { JSX } from 'preact'
import { formatRoute, type View, views } from '../routes/route.ts'
import { ConnectionLamp } from './connection-lamp.tsx'
import { ThemeButton } from './theme-button.tsx'

export function Header({ view }: { readonly view: View }): JSX.Element {
  return (
    <header class="top">
      <p class="mark">
        <span class="mark-name">toolsearch</span> <span class="mark-what">inspector</span>
      </p>
      <nav aria-label="Views">
        <ul>
          {views.map((one) => (
            <li key={one.view}>
              <a href={formatRoute(one.view)} aria-current={one.view === view ? 'page' : undefined}>
                {one.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="top-end">
        <ConnectionLamp />
        <ThemeButton />
      </div>
    </header>
  )
}
