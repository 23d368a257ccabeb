import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { ToolExplanation } from '../../api/contract.ts'
import { useReloadOn } from '../../api/gateway-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Panel } from '../../parts/panel.tsx'
import { Answered } from '../../parts/states.tsx'
import { ScoreParts } from './score-parts.tsx'
import { suggestNames } from './suggest-names.ts'
import { verdictLabels } from './verdict-labels.ts'

export interface WhyNotProps {
  readonly query: string
  readonly ranker: string | undefined
  /** The tool to explain. */
  readonly tool: string
  readonly onTool: (tool: string) => void
  readonly expected: readonly string[]
  readonly onToggle: (tool: string) => void
}

/** Explains why a search does not return a tool. */
export function WhyNot(props: WhyNotProps): JSX.Element {
  const { query, ranker, tool: typed, onTool, expected, onToggle } = props
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
    <Panel title="Why not this tool?">
      <label for="why-tool">Tool name</label>
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
          <p class="muted why-hint">Shows the tool's rank, its score and what is missing.</p>
        ) : (
          <Answered answer={answer} what="the explanation">
            {(why) => (
              <Explained
                why={why}
                query={query}
                isExpected={expected.includes(why.tool)}
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
  readonly isExpected: boolean
  readonly onToggle: (tool: string) => void
}

function Explained({ why, query, isExpected, onToggle }: ExplainedProps): JSX.Element {
  return (
    <div class="why">
      <p>
        <span class="tag" data-verdict={why.verdict}>
          {verdictLabels[why.verdict]}
        </span>{' '}
        {why.text}
      </p>
      <ScoreParts
        parts={why.parts}
        query={query}
        tool={{ name: why.tool }}
        best={why.best ?? 0}
        isOpen
      />
      {why.verdict !== 'unknown' && why.verdict !== 'returned' && (
        <button type="button" aria-pressed={isExpected} onClick={() => onToggle(why.tool)}>
          {isExpected ? 'Marked as expected' : 'Mark as expected'}
        </button>
      )}
    </div>
  )
}
