import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { Route } from '../routes/route.ts'
import { updateRoute } from '../routes/use-route.ts'

export interface ChoiceProps {
  readonly route: Route
  /** The parameter of the route that holds the choice. */
  readonly param: string
  readonly label: string
  /** The text for no choice. */
  readonly any: string
  readonly options: readonly (string | { readonly value: string; readonly title: string })[]
}

/** A filter with one choice, or none, which is part of the URL. */
export function Choice({ route, param, label, any, options }: ChoiceProps): JSX.Element {
  const id = useId()
  const value = route.params[param]
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
        onChange={({ currentTarget }) => updateRoute(route, { [param]: currentTarget.value })}
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
