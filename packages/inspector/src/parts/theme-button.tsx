import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { announce } from './announce.tsx'
import { Icon } from './icon.tsx'
import { applyTheme, readTheme, THEME_EVENT, themeAfter } from './theme.ts'

const labels = { system: 'system', light: 'light', dark: 'dark' } as const
const icons = { system: 'auto', light: 'sun', dark: 'moon' } as const

export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(readTheme)
  useEffect(() => {
    const read = () => setTheme(readTheme())
    addEventListener(THEME_EVENT, read)
    return () => removeEventListener(THEME_EVENT, read)
  }, [])
  function change(): void {
    const next = themeAfter(theme)
    applyTheme(next)
    announce(`Theme: ${labels[next]}`)
  }
  const label = `Theme: ${labels[theme]}. Switch to ${labels[themeAfter(theme)]}`
  return (
    <button type="button" class="quiet" onClick={change} aria-label={label} title={label}>
      <Icon name={icons[theme]} />
    </button>
  )
}
