import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { Route } from '../routes/route.ts'
import { updateRoute } from '../routes/use-route.ts'

export interface TextFilterProps {
  readonly route: Route
  /** The parameter of the route that holds the text. */
  readonly param: string
  readonly label: string
  readonly placeholder: string
}

/** A filter by a text that is part of each match, and of the URL. */
export function TextFilter({ route, param, label, placeholder }: TextFilterProps): JSX.Element {
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
        value={route.params[param] ?? ''}
        onInput={({ currentTarget }) => updateRoute(route, { [param]: currentTarget.value })}
      />
    </div>
  )
}
