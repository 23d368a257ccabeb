import type { JSX } from 'preact'
import { useAnswer } from '../../api/use-answer.ts'
import { formatRoute } from '../../routes/route.ts'

/** Queries to try. The gateway picks them: each finds a tool of this catalogue. */
export function Examples(): JSX.Element | null {
  const { value } = useAnswer('examples', (client, signal) => client.examples(signal))
  if (value === undefined || value.examples.length === 0) return null
  return (
    <ul class="examples" aria-label="Example queries">
      {value.examples.map(({ query }) => (
        <li key={query}>
          <a class="button query" href={formatRoute('search', { query })}>
            {query}
          </a>
        </li>
      ))}
    </ul>
  )
}
