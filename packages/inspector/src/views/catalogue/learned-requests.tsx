import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useActions } from '../../actions/actions-context.ts'
import type { LearnedRequest } from '../../api/contract.ts'
import { useGateway, useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { formatDate, formatMany } from '../../parts/format.ts'

/** The words after which people used a tool. Empty if nothing was learned. */
export function LearnedRequests({ tool }: { readonly tool: string }): JSX.Element | null {
  const { client } = useGateway()
  const { attempt } = useActions()
  const learned = useAnswer(`learned ${tool}`, (client, signal) => client.learned(tool, signal))
  // The configuration turns learning on and off.
  useReloadOn(learned, 'config')
  /** The words to forget; null for all. */
  const [forgetting, setForgetting] = useState<string | null>()
  const requests = learned.value?.requests ?? []
  if (requests.length === 0) return null

  async function forget(words: string | null): Promise<void> {
    setForgetting(undefined)
    await attempt(async () => {
      await client.forget(tool, words ?? undefined)
      return { text: words === null ? `Forgot all requests for ${tool}.` : `Forgot "${words}".` }
    })
    learned.reload()
  }

  return (
    <>
      <h3>Learned from use</h3>
      <p class="muted">
        {learned.value?.isOn
          ? 'Searches with similar words find this tool.'
          : 'Learning is off: searches ignore these requests until you turn it on.'}
      </p>
      <ul class="plain">
        {requests.map((request) => (
          <RequestItem key={request.words} request={request} onForget={setForgetting} />
        ))}
      </ul>
      <button type="button" onClick={() => setForgetting(null)}>
        Forget all…
      </button>
      {forgetting !== undefined && (
        <Dialog
          title={
            forgetting === null ? `Forget all requests for ${tool}?` : `Forget "${forgetting}"?`
          }
          onClose={() => setForgetting(undefined)}
          actions={
            <>
              <button type="button" onClick={() => setForgetting(undefined)}>
                Cancel
              </button>
              <button type="button" class="danger" onClick={() => forget(forgetting)}>
                Forget
              </button>
            </>
          }
        >
          <p>It no longer influences searches. This cannot be undone.</p>
        </Dialog>
      )}
    </>
  )
}

interface RequestItemProps {
  readonly request: LearnedRequest
  readonly onForget: (words: string) => void
}

function RequestItem({ request, onForget }: RequestItemProps): JSX.Element {
  const { words, people, newest } = request
  return (
    <li>
      “{words}”{' '}
      <span class="muted">
        {formatMany(people, 'person', 'people')}, {formatDate(new Date(newest).toISOString())}
      </span>{' '}
      <button type="button" onClick={() => onForget(words)}>
        Forget…<span class="visually-hidden"> {words}</span>
      </button>
    </li>
  )
}
