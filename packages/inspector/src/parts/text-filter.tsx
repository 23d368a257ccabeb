import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

export interface TextFilterProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string | undefined
  readonly onInput: (value: string) => void
}

/** A filter by a text that is part of each match. */
export function TextFilter({ label, placeholder, value, onInput }: TextFilterProps): JSX.Element {
  const id = useId()
  return (
    <div class="filter-text">
      <label for={id} class="visually-hidden">
        {label}
      </label>
      <input
        id={id}
        type="search"
        placeholder={placeholder}
        autocomplete="off"
        value={value ?? ''}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  )
}
