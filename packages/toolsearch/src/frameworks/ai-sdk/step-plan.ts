import type { Turn } from '../../session/turn.ts'
import { CALL_TOOL_NAME } from '../../tool-search/call-tool.ts'
import { toolsInNotice } from '../../transcript/expected-notice.ts'
import type { Revealing } from '../../transcript/reveal.ts'

/** The tools of one request. */
export interface StepPlan {
  /** The tools sent in full, in order. */
  readonly listed: ReadonlySet<string>
  /** Hidden tools, and tools that the messages reveal, in order. */
  readonly deferred: ReadonlySet<string>
  /** The tools whose definitions the model can see. */
  readonly visible: ReadonlySet<string>
}

export function planStep(
  { tools, searchTool, deferred, notices = [] }: Turn,
  revealed: ReadonlySet<string>,
  { reveal }: Revealing,
): StepPlan {
  const names = tools.map(({ name }) => name)
  const hasCallTool = reveal === 'call-tool' && searchTool !== undefined
  const listed = hasCallTool ? names.toSpliced(1, 0, CALL_TOOL_NAME) : names
  const described = notices.flatMap(({ text }) => toolsInNotice(text))
  return {
    listed: new Set(listed),
    deferred: new Set(deferred.map(({ name }) => name)),
    visible: new Set([...listed, ...revealed, ...described]),
  }
}
