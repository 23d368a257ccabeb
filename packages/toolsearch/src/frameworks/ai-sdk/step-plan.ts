import type { Turn } from '../../session/turn.ts'
import { resultsIn } from './sdk-messages.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkMessage } from './sdk-shapes.ts'

/** The tools of one request. */
export interface StepPlan {
  /** All tools for the SDK, in order: first those sent in full, then the deferred ones. */
  readonly listed: readonly string[]
  readonly deferred: ReadonlySet<string>
  /** The tools whose definitions the model can see. */
  readonly visible: ReadonlySet<string>
}

/** The tools whose definitions the messages contain, so the list need not include them. */
export function revealedIn(
  messages: readonly SdkMessage[],
  mode: SdkMode,
  { searchToolName, forced }: { searchToolName: string; forced: string | undefined },
): ReadonlySet<string> {
  const names = resultsIn(messages)
    .filter(({ toolName }) => toolName === searchToolName)
    .flatMap((result) => mode.revealedBy?.(result) ?? [])
  const revealed = new Set(names)
  if (forced !== undefined && !mode.canForceDeferred) revealed.delete(forced)
  return revealed
}

export function planStep(turn: Turn, revealed: ReadonlySet<string>, mode: SdkMode): StepPlan {
  const sent = turn.tools.map(({ name }) => name)
  const deferred = mode.deferredOptions ? turn.deferred.map(({ name }) => name) : []
  return {
    listed: [...sent, ...deferred],
    deferred: new Set(deferred),
    visible: new Set([...sent, ...deferred.filter((name) => revealed.has(name))]),
  }
}
