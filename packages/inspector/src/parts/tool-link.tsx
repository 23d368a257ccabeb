import type { JSX } from 'preact'
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
