const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })

/** `21340` → `21,340` */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** `1, 'tool'` → `1 tool`; `3, 'search', 'searches'` → `3 searches` */
export function formatMany(count: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `0.9762` → `97.6%`. Only exactly 0 and 1 become `0%` and `100%`. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1%'
  if (share < 1 && share > 0.999) return '> 99.9%'
  return `${Number((share * 100).toFixed(1))}%`
}

/** `0.42`, `7.1`, `148` */
export function formatScore(score: number): string {
  const size = Math.abs(score)
  return score.toFixed(size < 1 ? 2 : size < 100 ? 1 : 0)
}

export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < 1) return '< 1 ms'
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** A number of characters: `840`, `12.4k`, `3.1M` */
export function formatSize(size: number): string {
  if (size < 1000) return String(size)
  if (size < 999_950) return `${(size / 1000).toFixed(1)}k`
  return `${(size / 1_000_000).toFixed(1)}M`
}

/** The time of day in the browser's time zone. */
export function formatTime(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleTimeString('en-GB')
}

export function formatDate(iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  return date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}

/** `14:05`, or `16 Nov, 14:05` with the day. */
export function formatClock(iso: string, hasDay: boolean): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return iso
  const time = { hour: '2-digit', minute: '2-digit' } as const
  return date.toLocaleString('en-GB', hasDay ? { day: 'numeric', month: 'short', ...time } : time)
}
