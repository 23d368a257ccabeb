import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { SearchReport } from '../../api/contract.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { revealHidden } from '../../parts/reveal-hidden.ts'

export interface ModelAnswerProps {
  readonly answer: SearchReport['answer']
  readonly of: string
}

/** So much is shown at first; the rest is a click away. */
const BEGINNING = 1200

/** What a model would read, to the letter. */
export function ModelAnswer({ answer: { text, tokens }, of }: ModelAnswerProps): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > BEGINNING * 1.2
  return (
    <Panel
      title="What the model gets"
      of={of}
      aside={
        <>
          {formatMany(tokens, 'token')} <CopyButton text={text} what="what the model gets" />
        </>
      }
    >
      <pre class="answer">{revealHidden(isCut ? `${text.slice(0, BEGINNING)} …` : text)}</pre>
      {isCut && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {formatMany(text.length, 'character')}
        </button>
      )}
    </Panel>
  )
}
