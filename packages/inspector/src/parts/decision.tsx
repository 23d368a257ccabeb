import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useActions } from '../actions/actions-context.ts'
import type { ToolReport } from '../api/contract.ts'
import { useGateway } from '../api/gateway-context.ts'
import { DiffView } from './diff-view.tsx'
import { Icon } from './icon.tsx'
import { Promotion } from './promotion.tsx'
import { SkillDiff } from './skill-diff.tsx'

const titles = {
  new: 'New: waits for your approval',
  changed: 'Changed since it was approved',
  blocked: 'Blocked',
} as const

/** A changed tool that the configuration does not withhold. */
export const STILL_USED =
  'Agents can still use it: the configuration does not withhold changed tools.'

export interface DecisionProps {
  readonly tool: ToolReport
  readonly onDecided: (tool: ToolReport) => void
  /** Whether to leave out the heading and the reason, because the text around it says the same. */
  readonly isBare?: boolean
}

/** Says why a tool is withheld, shows what changed, and lets a person accept or block it. */
export function Decision({ tool, onDecided, isBare = false }: DecisionProps): JSX.Element | null {
  const { client } = useGateway()
  const { attempt } = useActions()
  const [isBusy, setBusy] = useState(false)
  const { withheld, isChanged, approved, history, definition, name } = tool
  if (withheld === undefined && !isChanged) return null
  const before = approved ?? history.find((past) => past.isApproved)?.definition
  const reason = withheld?.reason ?? 'changed'

  async function decide(how: 'accept' | 'block'): Promise<void> {
    setBusy(true)
    await attempt(async () => {
      onDecided(await client[how](tool))
      const undo = async () => {
        onDecided(await client.undoDecision(name))
        return `Undone: ${name} is withheld again.`
      }
      return {
        text: how === 'accept' ? `${name} is available to agents.` : `${name} stays withheld.`,
        undo,
      }
    })
    setBusy(false)
  }

  return (
    <section class="changed" aria-label={titles[reason]}>
      {!isBare && (
        <h3>
          <Icon name="warning" /> {titles[reason]}
        </h3>
      )}
      {!isBare && <p class="changed-why">{withheld?.message ?? STILL_USED}</p>}
      {reason === 'changed' &&
        (before === undefined ? (
          <p>The approved definition is no longer available.</p>
        ) : tool.skill ? (
          <SkillDiff tool={tool} before={before} />
        ) : (
          <DiffView before={before} after={definition} />
        ))}
      {isBare && <Promotion tool={tool} />}
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => decide('accept')}>
          Accept this definition
        </button>
        {reason !== 'blocked' && (
          <button type="button" disabled={isBusy} onClick={() => decide('block')}>
            Block
          </button>
        )}
      </div>
    </section>
  )
}
