import type { Session } from '../../session/session.ts'
import { unvalidatedSchema } from './input-schema.ts'
import type { SdkMessage, SdkTool, SdkToolResult } from './sdk-shapes.ts'

/** How found tools become part of a request. */
export interface SdkMode {
  /**
   * Provider options that mark a tool as deferred. Without them, deferred tools are not part of the
   * request.
   */
  readonly deferredOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Whether a tool choice can force a deferred tool that a search result has revealed. */
  readonly canForceDeferred?: boolean
  /** The search tool in the SDK's shape. */
  searchTool(context: SearchToolContext): SdkTool
  /** The tools whose definitions a result of the search tool reveals. */
  revealedBy?(result: SdkToolResult): readonly string[]
  /** Fixes messages that the service would reject. */
  repair?<MESSAGE extends SdkMessage>(
    messages: readonly MESSAGE[],
    isDeferred: (name: string) => boolean,
  ): readonly MESSAGE[]
}

interface SearchToolContext {
  readonly definition: Session['searchTool']
  readonly search: Session['search']
  /** Whether the request of this step defers a tool. */
  readonly isDeferred: (name: string) => boolean
  readonly isStrict: (name: string) => boolean
}

/** For any model: appends found tools to the tool list. */
export const appendMode: SdkMode = {
  searchTool: ({ definition, search }) => ({
    description: definition.description,
    inputSchema: unvalidatedSchema(definition.inputSchema),
    execute: async (input: unknown) => (await search(input)).answer.text,
  }),
}
