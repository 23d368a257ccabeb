import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { SearchReport } from '../../api/contract.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { formatMany } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { prettyText } from '../../parts/pretty-text.ts'
import { revealHidden } from '../../parts/reveal-hidden.ts'

export interface ModelAnswerProps {
  readonly answer: SearchReport['answer']
  readonly of: string
}

/** How many lines are visible before the text is expanded. */
const PREVIEW = 32

/** The text a model would get, formatted for people. The copy button copies the exact text. */
export function ModelAnswer({ answer: { text, tokens }, of }: ModelAnswerProps): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const lines = useMemo(
    () =>
      prettyText(text)
        .map((block) => block.text)
        .join('\n')
        .split('\n'),
    [text],
  )
  const isCut = !isWhole && lines.length > PREVIEW * 1.2
  return (
    <Panel
      title="Text for the model"
      of={of}
      isCollapsible
      aside={
        <>
          {formatMany(tokens, 'token')}{' '}
          <CopyButton text={text} what="the exact text for the model" />
        </>
      }
    >
      <pre class="answer">
        <code>{revealHidden((isCut ? lines.slice(0, PREVIEW) : lines).join('\n'))}</code>
      </pre>
      {isCut && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {formatMany(lines.length, 'line')}
        </button>
      )}
    </Panel>
  )
}
