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

/** How many characters are visible before the text is expanded. */
const PREVIEW = 1200

/** The exact text a model would get. */
export function ModelAnswer({ answer: { text, tokens }, of }: ModelAnswerProps): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > PREVIEW * 1.2
  return (
    <Panel
      title="Text for the model"
      of={of}
      aside={
        <>
          {formatMany(tokens, 'token')} <CopyButton text={text} what="the text for the model" />
        </>
      }
    >
      <pre class="answer">{revealHidden(isCut ? `${text.slice(0, PREVIEW)} …` : text)}</pre>
      {isCut && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {formatMany(text.length, 'character')}
        </button>
      )}
    </Panel>
  )
}
