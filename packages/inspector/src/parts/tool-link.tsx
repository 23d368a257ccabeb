import { Fragment, type JSX } from 'preact'
import { formatRoute } from '../routes/route.ts'
import { BreakableName } from './breakable-name.tsx'

export function ToolLink({ name }: { readonly name: string }): JSX.Element {
  return (
    <a class="tool-name" href={formatRoute('catalogue', { tool: name })}>
      <BreakableName name={name} />
    </a>
  )
}

export function QueryLink({ query }: { readonly query: string }): JSX.Element {
  return (
    <a class="query" href={formatRoute('search', { query })}>
      {query}
    </a>
  )
}

/** The names that come closest to a search without results. */
export function SimilarNames({ names }: { readonly names: readonly string[] }): JSX.Element | null {
  if (names.length === 0) return null
  return (
    <p>
      Similar names:{' '}
      {names.map((name, at) => (
        <Fragment key={name}>
          {at > 0 && ', '}
          <ToolLink name={name} />
        </Fragment>
      ))}
    </p>
  )
}
