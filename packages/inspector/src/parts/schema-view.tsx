import type { JSX } from 'preact'
import { revealHidden } from './reveal-hidden.ts'
import { MAX_ROWS, schemaRows } from './schema-rows.ts'

export interface SchemaViewProps {
  readonly schema: unknown
  /** Text for a schema without properties. */
  readonly emptyText: string
}

/** Lists the properties of a schema. */
export function SchemaView({ schema, emptyText }: SchemaViewProps): JSX.Element {
  const rows = schemaRows(schema)
  if (rows.length === 0) return <p class="muted">{emptyText}</p>
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
      {rows.length === MAX_ROWS && <li class="muted">More properties in the definition below.</li>}
    </ul>
  )
}
