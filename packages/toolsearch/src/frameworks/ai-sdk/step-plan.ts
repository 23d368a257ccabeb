import type { Turn } from '../../session/turn.ts'
import { CALL_TOOL_NAME } from '../../tool-search/call-tool.ts'
import { toolsInNotice } from '../../transcript/expected-notice.ts'
import { compactedAt, resultsIn } from './sdk-messages.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkMessage } from './sdk-shapes.ts'

/** The tools of one request. */
export interface StepPlan {
  /** The tools sent in full, in order. */
  readonly listed: ReadonlySet<string>
  /** Hidden tools, and tools that the messages reveal, in order. */
  readonly deferred: ReadonlySet<string>
  /** The tools whose definitions the model can see. */
  readonly visible: ReadonlySet<string>
}

/** The tools whose definitions the messages contain, so the list need not include them. */
export function revealedIn(messages: readonly SdkMessage[], mode: SdkMode): ReadonlySet<string> {
  const results = resultsIn(messages.slice(compactedAt(messages)))
  return new Set(
    results.flatMap((result) => mode.revealedBy?.(result) ?? []).map(({ name }) => name),
  )
}

function describedIn({ notices = [] }: Turn): ReadonlySet<string> {
  return new Set(notices.flatMap(({ text }) => toolsInNotice(text)))
}

export function planStep(turn: Turn, revealed: ReadonlySet<string>, mode: SdkMode): StepPlan {
  const names = turn.tools.map(({ name }) => name)
  const hasCallTool = mode.reveal === 'call-tool' && turn.searchTool !== undefined
  const listed = hasCallTool ? names.toSpliced(1, 0, CALL_TOOL_NAME) : names
  return {
    listed: new Set(listed),
    deferred: new Set(turn.deferred.map(({ name }) => name)),
    visible: new Set([...listed, ...revealed, ...describedIn(turn)]),
  }
}
