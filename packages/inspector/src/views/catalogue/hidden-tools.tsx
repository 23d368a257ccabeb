import type { JSX } from 'preact'
import { useActions } from '../../actions/actions-context.ts'
import { EditingNote, useEditingProblem } from '../../actions/editing-note.tsx'
import type { HiddenTool } from '../../api/contract.ts'
import { formatCount } from '../../parts/format.ts'
import { revealHidden } from '../../parts/reveal-hidden.ts'
import { ServerMark } from '../../parts/server-mark.tsx'
import { Empty } from '../../parts/states.tsx'
import { effectLabels } from './tool-row.tsx'

const SHOWN = 200

/** Tools that rules of the configuration hide from agents, with a button to allow each. */
export function HiddenTools({ tools }: { readonly tools: readonly HiddenTool[] }): JSX.Element {
  const { propose } = useActions()
  const problem = useEditingProblem()
  if (tools.length === 0) {
    return (
      <Empty title="No hidden tools">
        <p>
          Tools that <code>deny</code>, <code>allow</code> or <code>readOnly</code> hide from agents
          appear here.
        </p>
      </Empty>
    )
  }
  return (
    <div class="hidden-tools">
      <EditingNote />
      <ul>
        {tools.slice(0, SHOWN).map(({ server, tool, summary, effect, hiddenBy }) => (
          <li key={`${server}/${tool}`}>
            <div class="hidden-tool">
              <p>
                <code>{tool}</code> <span data-effect={effect}>{effectLabels[effect]}</span>
              </p>
              <p class="row-more">
                <ServerMark server={server} />
                <span class="row-summary">{revealHidden(summary)}</span>
              </p>
              <p class="muted">
                Hidden by <code>{hiddenBy}</code>
              </p>
            </div>
            <button
              type="button"
              disabled={problem !== undefined}
              onClick={() => propose({ action: 'allow', server, tool })}
            >
              Allow…<span class="visually-hidden"> {tool}</span>
            </button>
          </li>
        ))}
      </ul>
      {tools.length > SHOWN && <p class="muted">and {formatCount(tools.length - SHOWN)} more</p>}
    </div>
  )
}
