import type { Tool } from '../../catalogue/tool.ts'
import type { Session } from '../../session/session.ts'
import type { FoundTool } from '../../transcript/entry.ts'
import type { Revealing } from '../../transcript/reveal.ts'
import type { SdkCallPart, SdkRequestTool, SdkResultPart } from './sdk-shapes.ts'
import type { StepPlan } from './step-plan.ts'

/** How found tools become part of a request. */
export interface SdkMode extends Revealing {
  /** Marks a tool of a request as deferred. Without it, deferred tools are not part of the request. */
  asDeferred?(tool: SdkRequestTool): SdkRequestTool
  /** The fields in which the search tool differs from one that returns the text of the answer. */
  searchTool?(context: SearchToolContext): Readonly<Record<string, unknown>>
  /**
   * The message parts that the service gets, given all results in the messages. The same messages always
   * give the same parts.
   */
  reconcile?(results: readonly SdkResultPart[], plan: StepPlan): Reconciled
}

interface SearchToolContext {
  readonly definition: Session['searchTool']
  readonly search: Session['search']
  /** The caller has chosen what results say, so they always have their text. */
  readonly hasOwnResult: boolean
  /** Whether the request of this step defers a tool. */
  readonly isDeferred: (name: string) => boolean
  readonly isStrict: (name: string) => boolean
  /** The definition that the service got. Messages carry it as JSON. */
  readonly definitionOf: (tool: Tool) => FoundTool
}

interface Reconciled {
  /** Tools that the messages need although they are no longer available. */
  readonly removed?: readonly SdkRequestTool[]
  call?(part: SdkCallPart): SdkCallPart
  result(part: SdkResultPart): SdkResultPart
}
