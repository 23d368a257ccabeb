import type { JSX } from 'preact'
import type { ToolReport } from '../api/contract.ts'
import { Icon } from './icon.tsx'
import { revealHidden } from './reveal-hidden.ts'

/** Warns of a sentence with which a tool promotes itself or gives orders to the model. */
export function Promotion({ tool }: { readonly tool: ToolReport }): JSX.Element | null {
  const { promotion } = tool
  if (promotion === undefined) return null
  return (
    <p class="changed-why">
      <Icon name="warning" /> Promotes itself or gives orders to the model: “
      {revealHidden(promotion)}”. Searches ignore this sentence, models don’t.
    </p>
  )
}
