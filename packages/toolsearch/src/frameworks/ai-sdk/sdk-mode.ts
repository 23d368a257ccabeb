import type { JsonSchema, Tool } from '../../catalogue/tool.ts'
import type { Session } from '../../session/session.ts'
import { unvalidatedSchema } from './input-schema.ts'
import type {
  SdkCallPart,
  SdkMessage,
  SdkRequestTool,
  SdkResultPart,
  SdkTool,
} from './sdk-shapes.ts'

/** How found tools become part of a request. */
export interface SdkMode {
  /**
   * How the model gets found tools. `list` also stands for definitions in results, because the SDK
   * cannot append them without a search.
   */
  readonly reveal: 'list' | 'call-tool' | 'reference'
  /**
   * Provider options that mark a tool as deferred. Without them, deferred tools are not part of the
   * request.
   */
  readonly deferredOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Whether a tool choice can force a deferred tool that a message has revealed. */
  readonly canForceDeferred?: boolean
  /** The search tool in the SDK's shape. */
  searchTool(context: SearchToolContext): SdkTool
  /** The tools whose definitions a result reveals. */
  revealedBy?(result: SdkResultPart): readonly RevealedTool[]
  /** The message parts that the service gets. The same messages always give the same parts. */
  translator?(messages: readonly SdkMessage[], context: TranslatorContext): Translator
}

/** The tool that a result reveals. The result of an older version may have no definition. */
export interface RevealedTool {
  readonly name: string
  readonly definition?: RevealedDefinition
}

/** The definition that the service got. Messages carry it as JSON. */
export interface RevealedDefinition {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: JsonSchema
}

interface SearchToolContext {
  readonly definition: Session['searchTool']
  readonly search: Session['search']
  /** The caller has chosen what results say, so they always have their text. */
  readonly hasOwnResult: boolean
  /** Whether the request of this step defers a tool. */
  readonly isDeferred: (name: string) => boolean
  readonly isStrict: (name: string) => boolean
  readonly definitionOf: (tool: Tool) => RevealedDefinition
}

export interface TranslatorContext {
  /** Whether the request contains the full definition of a tool. */
  readonly isListed: (name: string) => boolean
  readonly isDeferred: (name: string) => boolean
}

interface Translator {
  /** Tools that the messages need although they are no longer available. */
  readonly removed?: readonly SdkRequestTool[]
  call?(part: SdkCallPart): SdkCallPart
  result?(part: SdkResultPart): SdkResultPart
}

/** For any model: appends found tools to the tool list. */
export const appendMode: SdkMode = {
  reveal: 'list',
  searchTool: ({ definition, search }) => ({
    description: definition.description,
    inputSchema: unvalidatedSchema(definition.inputSchema),
    execute: async (input: unknown) => (await search(input)).answer.text,
  }),
}
