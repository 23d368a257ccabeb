import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { ToolExplanation } from '../../api/contract.ts'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { ScoreParts } from './score-parts.tsx'
import { suggestNames } from './suggest-names.ts'
import { verdictWords } from './verdict-words.ts'

export interface WhyNotProps {
  readonly query: string
  readonly ranker: string | undefined
  /** The tool asked about. */
  readonly tool: string
  readonly onTool: (tool: string) => void
  readonly right: readonly string[]
  readonly onToggle: (tool: string) => void
}

/** The question that brings people here: why does it not find my tool? */
export function WhyNot(props: WhyNotProps): JSX.Element {
  const { query, ranker, tool: typed, onTool, right, onToggle } = props
  const [isUsed, setUsed] = useState(false)
  const tool = typed.trim()
  const list = useAnswer(isUsed ? 'tools' : undefined, (client, signal) => client.tools(signal))
  const names = useMemo(() => suggestNames(list.value?.tools ?? [], tool), [list.value, tool])
  const answer = useAnswer(
    tool === '' ? undefined : `${ranker} ${query} ${tool}`,
    (client, signal) => client.explain({ query, tool, ranker }, signal),
  )
  useReloadOn(list, 'tools')
  useReloadOn(answer, 'tools')
  return (
    <Panel title="Why not my tool?">
      <label for="why-tool">Name of the tool</label>
      <input
        id="why-tool"
        list="why-tools"
        value={typed}
        autocomplete="off"
        spellcheck={false}
        placeholder="server__tool"
        onFocus={() => setUsed(true)}
        onInput={({ currentTarget }) => onTool(currentTarget.value)}
      />
      <datalist id="why-tools">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div aria-live="polite" data-pending={answer.isPending || undefined}>
        {tool === '' ? (
          <p class="muted why-hint">Its place, its score and what it lacks are told here.</p>
        ) : (
          <Answered answer={answer} what="the reason">
            {(why) => (
              <Explained
                why={why}
                query={query}
                isRight={right.includes(why.tool)}
                onToggle={onToggle}
              />
            )}
          </Answered>
        )}
      </div>
    </Panel>
  )
}

interface ExplainedProps {
  readonly why: ToolExplanation
  readonly query: string
  readonly isRight: boolean
  readonly onToggle: (tool: string) => void
}

function Explained({ why, query, isRight, onToggle }: ExplainedProps): JSX.Element {
  return (
    <div class="why">
      <p>
        <span class="tag" data-verdict={why.verdict}>
          {verdictWords[why.verdict]}
        </span>{' '}
        {why.text}
      </p>
      <ScoreParts parts={why.parts} query={query} best={why.best ?? 0} isOpen />
      {why.verdict !== 'unknown' && why.verdict !== 'returned' && (
        <button type="button" aria-pressed={isRight} onClick={() => onToggle(why.tool)}>
          {isRight ? 'Marked as the right answer' : 'It is the right answer'}
        </button>
      )}
    </div>
  )
}
