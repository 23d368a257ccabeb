import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { rowAfterKey, scrollToShow, visibleRange } from './visible-range.ts'

export interface VirtualListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  /** In pixels; the same for all rows. */
  readonly rowHeight: number
  readonly keyOf: (item: T) => string
  readonly render: (item: T) => ComponentChildren
  /** The key of the open item. */
  readonly selected?: string | undefined
  readonly onOpen: (item: T) => void
  /** When it changes, the list scrolls back to the top. */
  readonly resetKey?: string
}

/** A list box of any length that renders only the visible rows. */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { label, items, rowHeight, keyOf, render, selected, onOpen, resetKey = '' } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [scrollTop, setScrollTop] = useState(0)
  const [height, setHeight] = useState(600)
  const [active, setActive] = useState(0)
  const count = items.length
  const current = Math.min(active, Math.max(0, count - 1))
  const scrolled = { scrollTop, height, rowHeight, count }

  useLayoutEffect(() => {
    const element = box.current!
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    setHeight(element.clientHeight)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // Scroll to the open item only when the list changes, not on every render.
  useEffect(() => {
    const at = selected === undefined ? 0 : items.findIndex((item) => keyOf(item) === selected)
    show(Math.max(0, at), 0)
  }, [resetKey, count === 0])

  function show(index: number, from = box.current!.scrollTop): void {
    setActive(index)
    box.current!.scrollTop = scrollToShow(index, { ...scrolled, scrollTop: from })
  }

  function press(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const item = items[current]
    if ((event.key === 'Enter' || event.key === ' ') && item !== undefined) onOpen(item)
    else {
      const next = rowAfterKey(event.key, current, scrolled)
      if (next === undefined) return
      show(next)
    }
    event.preventDefault()
  }

  function click(event: MouseEvent): void {
    const row = (event.target as Element).closest<HTMLElement>('[data-index]')
    const index = Number(row?.dataset.index)
    const item = items[index]
    if (row === null || item === undefined) return
    box.current!.focus({ preventScroll: true })
    setActive(index)
    onOpen(item)
  }

  const [first, end] = visibleRange(scrolled)
  const isActiveDrawn = count > 0 && current >= first && current < end
  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isActiveDrawn ? `${id}-${current}` : undefined}
      onKeyDown={press}
      onClick={click}
      onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
    >
      <div class="rows-all" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {items.slice(first, end).map((item, offset) => {
          const index = first + offset
          const key = keyOf(item)
          return (
            <div
              key={key}
              id={`${id}-${index}`}
              class="row"
              role="option"
              tabIndex={-1}
              data-index={index}
              data-active={index === current || undefined}
              aria-selected={key === selected}
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
            >
              {render(item)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
