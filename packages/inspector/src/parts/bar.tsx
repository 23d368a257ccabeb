import type { JSX } from 'preact'

export interface BarProps {
  /** From 0 to 1. */
  readonly share: number
  readonly hue?: number | undefined
  readonly class?: string
}

/** A decorative bar: the number next to it has the same information. */
export function Bar({ share, hue, class: name = '' }: BarProps): JSX.Element {
  const width = `${Math.max(0, Math.min(1, share)) * 100}%`
  return (
    <span class={`bar ${name}`} data-hue={hue} aria-hidden="true">
      <span style={{ width }} />
    </span>
  )
}
