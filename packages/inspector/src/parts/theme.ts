import { storageOf } from './storage-of.ts'

export type Theme = 'system' | 'light' | 'dark'

/** Sent to the window when the theme changes. */
export const THEME_EVENT = 'toolsearch-theme'

const KEY = 'toolsearch-theme'
const themes: readonly Theme[] = ['system', 'light', 'dark']

/** The theme that was chosen in this browser. */
export function readTheme(): Theme {
  const stored = storageOf('localStorage')?.getItem(KEY)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  storageOf('localStorage')?.setItem(KEY, theme)
  dispatchEvent(new Event(THEME_EVENT))
}

export function themeAfter(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length]!
}
