import { storageOf } from './storage-of.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'toolsearch-theme'
const themes: readonly Theme[] = ['system', 'light', 'dark']

/** What was chosen in this browser before. */
export function readTheme(): Theme {
  const kept = storageOf('localStorage')?.getItem(KEY)
  return themes.find((theme) => theme === kept) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  storageOf('localStorage')?.setItem(KEY, theme)
}

export function themeAfter(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length]!
}
