import type { ComponentChildren, JSX } from 'preact'

export interface SegmentedProps<T extends string> {
  /** For screen readers. */
  readonly label: string
  readonly options: readonly { readonly value: T; readonly title: ComponentChildren }[]
  readonly value: T
  readonly onChange: (value: T) => void
  readonly class?: string
}

/** Buttons of which exactly one is pressed. */
export function Segmented<T extends string>(props: SegmentedProps<T>): JSX.Element {
  const { label, options, value, onChange, class: name = '' } = props
  return (
    <fieldset class={`segmented ${name}`}>
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.title}
        </button>
      ))}
    </fieldset>
  )
}
