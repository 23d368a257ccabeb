import type { JSX } from 'preact'
import { revealHidden } from './reveal-hidden.ts'
import { MOST_ROWS, schemaRows } from './schema-rows.ts'

export interface SchemaViewProps {
  readonly schema: unknown
  /** What is said of a schema that asks for nothing. */
  readonly nothing: string
}

/** A schema as a person reads it: one line for each thing it asks for. */
export function SchemaView({ schema, nothing }: SchemaViewProps): JSX.Element {
  const rows = schemaRows(schema)
  if (rows.length === 0) return <p class="muted">{nothing}</p>
  return (
    <ul class="schema">
      {rows.map(({ name, depth, type, isRequired, description, notes }, at) => (
        <li
          key={at}
          style={{ paddingLeft: `${depth * 1.1}rem` }}
          data-deep={depth > 0 || undefined}
        >
          <div class="schema-line">
            <code class="schema-name">{revealHidden(name)}</code>
            <span class="schema-type">{type}</span>
            {isRequired && <span class="tag">required</span>}
          </div>
          {description !== undefined && <p dir="auto">{revealHidden(description)}</p>}
          {notes.map((note) => (
            <p key={note} class="schema-note">
              {revealHidden(note)}
            </p>
          ))}
        </li>
      ))}
      {rows.length === MOST_ROWS && <li class="muted">… and more, in the definition below.</li>}
    </ul>
  )
}
