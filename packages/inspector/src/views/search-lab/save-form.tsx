import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { failureText } from '../../api/api-failure.ts'
import { useGateway } from '../../api/gateway-context.ts'
import { announce } from '../../parts/announce.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'

export interface SaveFormProps {
  readonly query: string
  readonly right: readonly string[]
  readonly onToggle: (tool: string) => void
}

/** Keeps a query with its right answer, so that every later change is measured by it. */
export function SaveForm({ query, right, onToggle }: SaveFormProps): JSX.Element {
  const { client } = useGateway()
  const [said, setSaid] = useState<{ query: string; text: string; isProblem: boolean }>()
  async function save(): Promise<void> {
    try {
      await client.save({ query, relevant: right })
      setSaid({ query, text: 'Saved.', isProblem: false })
      announce(`Saved the query ${query}`)
    } catch (error) {
      setSaid({ query, text: failureText(error), isProblem: true })
    }
  }
  return (
    <Panel title="Keep this query">
      {right.length === 0 ? (
        <p class="muted save-hint">
          Mark the right answers above. With none marked, it is kept as one that nothing serves.
        </p>
      ) : (
        <ul class="chosen">
          {right.map((tool) => (
            <li key={tool}>
              <code>{tool}</code>
              <button
                type="button"
                class="quiet"
                aria-label={`${tool} is no right answer`}
                onClick={() => onToggle(tool)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="primary" onClick={save}>
        {right.length === 0 ? 'Save as “nothing fits”' : 'Save with its right answer'}
      </button>
      {said?.query === query && (
        <p class={said.isProblem ? 'problem' : 'muted'} role={said.isProblem ? 'alert' : undefined}>
          {said.text}
        </p>
      )}
    </Panel>
  )
}
