import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { announce } from './announce.tsx'
import { Icon } from './icon.tsx'
import { applyTheme, readTheme, themeAfter } from './theme.ts'

const labels = { system: 'system', light: 'light', dark: 'dark' } as const
const icons = { system: 'auto', light: 'sun', dark: 'moon' } as const

export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(readTheme)
  function change(): void {
    const next = themeAfter(theme)
    applyTheme(next)
    setTheme(next)
    announce(`Theme: ${labels[next]}`)
  }
  const label = `Theme: ${labels[theme]}. Switch to ${labels[themeAfter(theme)]}`
  return (
    <button type="button" class="quiet" onClick={change} aria-label={label} title={label}>
      <Icon name={icons[theme]} />
    </button>
  )
}
