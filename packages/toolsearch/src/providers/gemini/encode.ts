import type { JsonSchema } from '../../catalogue/tool.ts'
import { validSchema } from '../../catalogue/valid-schema.ts'
import { isObject } from '../../is-object.ts'
import type { ToolText } from '../../tokens/tool-tokens.ts'
import type { Block } from '../../transcript/block.ts'
import type { RequestPlan } from '../provider.ts'
import { type GeminiContent, isModel, partsOf, responseIn, text } from './read.ts'

/** The tool-related part of a request. */
export interface GeminiRequest<Message> {
  /** Spread it into your own config: `config: { ...request.config, temperature: 0 }`. */
  config: GeminiConfig
  contents: Message[]
}

export interface GeminiConfig {
  // biome-ignore lint/suspicious/noExplicitAny: the caller's own value, possibly with a text part appended
  systemInstruction?: any
  tools?: { functionDeclarations: GeminiDeclaration[] }[]
  toolConfig?: { functionCallingConfig: GeminiCalling }
}

export interface GeminiDeclaration {
  name: string
  description: string
  parametersJsonSchema: JsonSchema
}

export interface GeminiCalling {
  // biome-ignore lint/suspicious/noExplicitAny: the client's enum does not accept its own string values
  mode: any
  allowedFunctionNames: string[]
}

export interface EncodeOptions {
  readonly validated: boolean
}

export function encode<Message extends GeminiContent>(
  plan: RequestPlan<Message>,
  { validated }: EncodeOptions,
): GeminiRequest<Message> {
  const functionDeclarations = [plan.searchTool, plan.callTool, ...plan.tools]
    .filter((tool) => tool !== undefined)
    .map(declaration)
  // Only the client's types include tools without functions.
  const extraTools = plan.extraTools as readonly unknown[] as GeminiConfig['tools'] & object
  const tools = [
    ...extraTools,
    ...(functionDeclarations.length > 0 ? [{ functionDeclarations }] : []),
  ]
  const names = tools.flatMap((tool) => (tool.functionDeclarations ?? []).map(({ name }) => name))
  const systemInstruction = withAnnouncement(plan.system, plan.announcement)
  const calling = callingConfig(names, plan.toolChoice, validated)
  return {
    config: {
      ...(systemInstruction !== undefined && { systemInstruction }),
      ...(tools.length > 0 && { tools }),
      ...(calling && { toolConfig: { functionCallingConfig: calling } }),
    },
    contents: withNotice(plan.messages, plan.notice),
  }
}

function declaration({ name, description, inputSchema }: ToolText): GeminiDeclaration {
  return {
    name,
    description,
    parametersJsonSchema: { ...validSchema(inputSchema), type: 'object' },
  }
}

function callingConfig(
  names: string[],
  toolChoice: string | undefined,
  validated: boolean,
): GeminiCalling | undefined {
  if (toolChoice !== undefined) return { mode: 'ANY', allowedFunctionNames: [toolChoice] }
  if (!validated || names.length === 0) return undefined
  return { mode: 'VALIDATED', allowedFunctionNames: names }
}

function withAnnouncement(system: unknown, announcement: string | undefined): unknown {
  if (announcement === undefined) return system
  const content = isObject(system) && Array.isArray(system.parts) ? system : {}
  return { ...content, parts: [...systemParts(system), text(announcement)] }
}

/** The client accepts a string, a part, a content, or a list of strings and parts. */
function systemParts(system: unknown): readonly Block[] {
  if (typeof system === 'string') return system === '' ? [] : [text(system)]
  if (Array.isArray(system)) return system.flatMap(systemParts)
  if (!isObject(system)) return []
  return Array.isArray(system.parts) ? partsOf(system) : [system]
}

/** Adds the notice after the last user content, so that everything before it stays unchanged. */
function withNotice<Message extends GeminiContent>(
  messages: readonly Message[],
  notice: string | undefined,
): Message[] {
  const at = messages.findLastIndex((message) => !isModel(message))
  if (notice === undefined || at < 0) return [...messages]
  const message = messages[at]!
  const parts = partsOf(message)
  // A content with responses must contain nothing else.
  if (!parts.some(responseIn)) {
    return messages.with(at, { ...message, parts: [...parts, text(notice)] })
  }
  const added: GeminiContent = { role: 'user', parts: [text(notice)] }
  return messages.toSpliced(at + 1, 0, added as Message)
}
