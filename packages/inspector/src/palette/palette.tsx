import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { useActions } from '../actions/actions-context.ts'
import { restartServer, signInToServer } from '../actions/server-tasks.ts'
import { useGateway } from '../api/gateway-context.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useMe } from '../me-context.ts'
import { useOverview } from '../overview-context.ts'
import { Dialog } from '../parts/dialog.tsx'
import { applyTheme, readTheme, themeAfter } from '../parts/theme.ts'
import { viewsFor } from '../routes/route.ts'
import {
  matchingItems,
  type PaletteAction,
  type PaletteItem,
  paletteItems,
} from './palette-items.ts'

const kinds: Record<PaletteItem['kind'], string> = {
  view: 'View',
  server: 'Server',
  action: 'Action',
  tool: 'Tool',
}

/** Opens any view, tool, server or action with the keyboard. */
export function Palette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const id = useId()
  const overview = useOverview().value
  const list = useAnswer('tools', (client, signal) => client.tools(signal))
  const run = useRun()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const me = useMe()
  const all = useMemo(
    () => paletteItems(overview, list.value?.tools ?? [], viewsFor(me)),
    [overview, list.value, me],
  )
  const items = useMemo(() => matchingItems(all, typed), [all, typed])
  const current = Math.min(active, items.length - 1)

  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, items])

  function choose(item: PaletteItem | undefined): void {
    if (item === undefined) return
    onClose()
    if (item.href !== undefined) location.hash = item.href
    else if (item.run) run(item.run)
  }

  function press(event: KeyboardEvent): void {
    const { key, ctrlKey } = event
    const step = { ArrowDown: 1, ArrowUp: -1, n: ctrlKey ? 1 : 0, p: ctrlKey ? -1 : 0 }[key] ?? 0
    if (step !== 0) setActive((current + step + items.length) % Math.max(1, items.length))
    else if (key === 'Enter') choose(items[current])
    else return
    event.preventDefault()
  }

  return (
    <Dialog
      title={<span class="visually-hidden">Command palette</span>}
      class="palette"
      onClose={onClose}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Go to a view, tool, server or action"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={items.length > 0 ? `${id}-${current}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Go to a view, tool, server or action"
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setActive(0)
        }}
        onKeyDown={press}
      />
      <div ref={box} id={`${id}-list`} class="palette-list" role="listbox" aria-label="Matches">
        {items.map((item, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
          <div
            key={`${item.kind} ${item.title}`}
            id={`${id}-${at}`}
            class="palette-item"
            role="option"
            tabIndex={-1}
            aria-selected={at === current}
            onClick={() => choose(item)}
          >
            <span class="palette-title" data-kind={item.kind}>
              {item.title}
            </span>
            {item.note !== undefined && <span class="muted">{item.note}</span>}
            <span class="tag">{kinds[item.kind]}</span>
          </div>
        ))}
      </div>
      {items.length === 0 && <p class="muted palette-none">No matches</p>}
      <p class="palette-keys muted" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> to move · <kbd>Enter</kbd> to open · <kbd>Esc</kbd> to close
      </p>
    </Dialog>
  )
}

function useRun(): (action: PaletteAction) => void {
  const { client } = useGateway()
  const { propose, attempt } = useActions()
  return (action) => {
    if (action.kind === 'theme') applyTheme(themeAfter(readTheme()))
    else if (action.kind === 'enable' || action.kind === 'disable')
      propose({ action: action.kind, server: action.server })
    else {
      const task = action.kind === 'restart' ? restartServer : signInToServer
      attempt(() => task(client, action.server))
    }
  }
}
