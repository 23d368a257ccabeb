import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { failureText } from '../../api/api-failure.ts'
import { useGateway } from '../../api/gateway-context.ts'
import { announce } from '../../parts/announce.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'

export interface SaveFormProps {
  readonly query: string
  readonly expected: readonly string[]
  readonly onToggle: (tool: string) => void
}

/** Saves a query with its expected results, as a test case for later changes. */
export function SaveForm({ query, expected, onToggle }: SaveFormProps): JSX.Element {
  const { client } = useGateway()
  const [message, setMessage] = useState<{ query: string; text: string; isProblem: boolean }>()
  async function save(): Promise<void> {
    try {
      await client.save({ query, relevant: expected })
      setMessage({ query, text: 'Saved.', isProblem: false })
      announce(`Saved the query ${query}`)
    } catch (error) {
      setMessage({ query, text: failureText(error), isProblem: true })
    }
  }
  return (
    <Panel title="Save as test case">
      {expected.length === 0 ? (
        <p class="muted save-hint">
          Mark the expected results above. Without any, the query is expected to find nothing.
        </p>
      ) : (
        <ul class="chosen">
          {expected.map((tool) => (
            <li key={tool}>
              <code>{tool}</code>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${tool} from the expected results`}
                onClick={() => onToggle(tool)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="primary" onClick={save}>
        {expected.length === 0 ? 'Save with no expected results' : 'Save with expected results'}
      </button>
      {message?.query === query && (
        <p
          class={message.isProblem ? 'problem' : 'muted'}
          role={message.isProblem ? 'alert' : undefined}
        >
          {message.text}
        </p>
      )}
    </Panel>
  )
}
