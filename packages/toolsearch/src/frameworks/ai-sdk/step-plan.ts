import type { Turn } from '../../session/turn.ts'
import { resultsIn } from './sdk-messages.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkMessage } from './sdk-shapes.ts'

/** What one request carries. */
export interface StepPlan {
  /** All names the SDK has to know, in order: what is sent, and then what is held back. */
  readonly listed: readonly string[]
  readonly held: ReadonlySet<string>
  /** Tools whose definitions the model has. */
  readonly known: ReadonlySet<string>
}

/** The tools whose definitions come with the messages of a request, so that the list need not have them. */
export function revealedBy(
  messages: readonly SdkMessage[],
  mode: SdkMode,
  { searchToolName, forced }: { searchToolName: string; forced: string | undefined },
): ReadonlySet<string> {
  const names = resultsIn(messages)
    .filter(({ toolName }) => toolName === searchToolName)
    .flatMap((result) => mode.carriedBy?.(result) ?? [])
  const revealed = new Set(names)
  if (forced !== undefined && !mode.canForceHeld) revealed.delete(forced)
  return revealed
}

export function planStep(turn: Turn, revealed: ReadonlySet<string>, mode: SdkMode): StepPlan {
  const sent = turn.tools.map(({ name }) => name)
  const held = mode.held ? turn.deferred.map(({ name }) => name) : []
  return {
    listed: [...sent, ...held],
    held: new Set(held),
    known: new Set([...sent, ...held.filter((name) => revealed.has(name))]),
  }
}
