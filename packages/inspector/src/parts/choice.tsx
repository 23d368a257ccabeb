import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

export interface ChoiceProps {
  readonly label: string
  readonly value: string | undefined
  /** The text for no choice. */
  readonly any: string
  readonly options: readonly (string | { readonly value: string; readonly title: string })[]
  readonly onChange: (value: string | undefined) => void
}

/** A filter with one choice, or none. */
export function Choice({ label, value, any, options, onChange }: ChoiceProps): JSX.Element {
  const id = useId()
  const known = options.map((option) =>
    typeof option === 'string' ? { value: option, title: option } : option,
  )
  // A value from the URL may not be among the options.
  const all =
    value === undefined || known.some((option) => option.value === value)
      ? known
      : [...known, { value, title: value }]
  return (
    <div class="choice" data-active={value !== undefined || undefined}>
      <label for={id} class="visually-hidden">
        {label}
      </label>
      <select
        id={id}
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      >
        <option value="">{any}</option>
        {all.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </div>
  )
}
