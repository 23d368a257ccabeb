import { storageOf } from './storage-of.ts'

export type Theme = 'system' | 'light' | 'dark'

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
}

export function themeAfter(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length]!
}
