import type { ComponentChildren, JSX } from 'preact'

export interface ReadoutProps {
  readonly label: string
  readonly value: ComponentChildren
  readonly note?: ComponentChildren
  /** Whether to emphasize this figure. */
  readonly isMain?: boolean
  readonly tone?: 'bad' | undefined
}

/** A row of figures. */
export function Readouts({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <dl class="readouts">{children}</dl>
}

export function Readout({ label, value, note, isMain, tone }: ReadoutProps): JSX.Element {
  return (
    <div class={isMain ? 'readout readout-main' : 'readout'} data-tone={tone}>
      <dt>{label}</dt>
      <dd>
        <span class="figure">{value}</span>
        {note !== undefined && <span class="note"> {note}</span>}
      </dd>
    </div>
  )
}
