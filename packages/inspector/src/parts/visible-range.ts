export interface Scrolled {
  readonly scrollTop: number
  /** Of what can be seen. */
  readonly height: number
  readonly rowHeight: number
  readonly count: number
}

/** Rows drawn beyond what can be seen, so that a fast hand meets no gap. */
const OVERSCAN = 8

/** Which rows to draw, the last not included. */
export function visibleRange({ scrollTop, height, rowHeight, count }: Scrolled): [number, number] {
  const first = Math.floor(scrollTop / rowHeight) - OVERSCAN
  const end = Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN
  return [Math.max(0, Math.min(first, count)), Math.min(count, Math.max(end, 0))]
}

/** Where to scroll so that a row can be seen: nowhere, if it can. */
export function scrollToShow(index: number, { scrollTop, height, rowHeight }: Scrolled): number {
  const top = index * rowHeight
  if (top < scrollTop) return top
  if (top + rowHeight > scrollTop + height) return top + rowHeight - height
  return scrollTop
}

/** The row that a key leads to; undefined for a key that leads nowhere. */
export function rowAfterKey(
  key: string,
  index: number,
  { height, rowHeight, count }: Omit<Scrolled, 'scrollTop'>,
): number | undefined {
  if (count === 0) return undefined
  const page = Math.max(1, Math.floor(height / rowHeight) - 1)
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next))
}
