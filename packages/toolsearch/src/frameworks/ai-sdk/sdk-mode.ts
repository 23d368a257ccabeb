import type { Session } from '../../session/session.ts'
import type { SdkMessage, SdkTool, SdkToolResult } from './sdk-shapes.ts'

/** How tools that were found come into a request. */
export interface SdkMode {
  /**
   * Provider options of a tool whose definition is held back. Left out, such a tool is no part of
   * the request.
   */
  readonly held?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Whether the model can be made to call a tool that is held back once a result carries it. */
  readonly canForceHeld?: boolean
  /** The search tool as the SDK takes it. */
  searchTool(parts: SearchToolParts): SdkTool
  /** The names of the tools whose definitions a result of the search tool brings along. */
  carriedBy?(result: SdkToolResult): readonly string[]
  /** Mends what would make the service refuse the request. */
  repair?<MESSAGE extends SdkMessage>(
    messages: readonly MESSAGE[],
    isHeld: (name: string) => boolean,
  ): readonly MESSAGE[]
}

interface SearchToolParts {
  readonly definition: Session['searchTool']
  readonly search: Session['search']
  /** Whether the request of this step holds the definition of a tool back. */
  readonly isHeld: (name: string) => boolean
  readonly isStrict: (name: string) => boolean
}
