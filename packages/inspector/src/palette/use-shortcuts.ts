import { useEffect } from 'preact/hooks'
import { formatRoute } from '../routes/route.ts'

/** Ctrl-K (or ⌘K) opens the palette; `/` moves the focus to the search field. */
export function useShortcuts(openPalette: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey
      if (isModified && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        if (document.querySelector('dialog[open]') === null) openPalette()
      } else if (event.key === '/' && !isModified && !event.altKey && !isTyping(event.target)) {
        event.preventDefault()
        focusSearch()
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [openPalette])
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field === null) location.hash = formatRoute('search')
  else {
    field.focus()
    field.select()
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    (target.matches('input, textarea, select, [contenteditable]') ||
      target.closest('dialog') !== null)
  )
}
