export interface Scrolled {
  readonly scrollTop: number
  /** Height of the visible part. */
  readonly height: number
  readonly rowHeight: number
  readonly count: number
}

/** Rows drawn outside the visible part, so that fast scrolling shows no gaps. */
const OVERSCAN = 8

/** The rows to draw, as a half-open range. */
export function visibleRange({ scrollTop, height, rowHeight, count }: Scrolled): [number, number] {
  const first = Math.floor(scrollTop / rowHeight) - OVERSCAN
  const end = Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN
  return [Math.max(0, Math.min(first, count)), Math.min(count, Math.max(end, 0))]
}

/** The scroll position that makes a row visible; unchanged if it is visible. */
export function scrollToShow(index: number, { scrollTop, height, rowHeight }: Scrolled): number {
  const top = index * rowHeight
  if (top < scrollTop) return top
  if (top + rowHeight > scrollTop + height) return top + rowHeight - height
  return scrollTop
}

/** The row that a key moves to; undefined for other keys. */
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
