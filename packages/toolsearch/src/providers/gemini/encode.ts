import type { JsonSchema } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import type { ToolText } from '../../tokens/tool-tokens.ts'
import type { RequestPlan } from '../provider.ts'
import { type GeminiContent, isModel, type Part, partsOf, responseIn, text } from './parts.ts'

/** The part of a request that has to do with tools. */
export interface GeminiRequest<Message> {
  /** Spread it into your own: `config: { ...request.config, temperature: 0 }`. */
  config: GeminiConfig
  contents: Message[]
}

export interface GeminiConfig {
  // biome-ignore lint/suspicious/noExplicitAny: what the caller gave, with a text part after it
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
  // biome-ignore lint/suspicious/noExplicitAny: the client's enum takes no text, though it is one
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
  const names = functionDeclarations.map(({ name }) => name)
  const systemInstruction = withAnnouncement(plan.system, plan.announcement)
  const calling = callingConfig(names, plan.toolChoice, validated)
  return {
    config: {
      ...(systemInstruction !== undefined && { systemInstruction }),
      ...(names.length > 0 && { tools: [{ functionDeclarations }] }),
      ...(calling && { toolConfig: { functionCallingConfig: calling } }),
    },
    contents: withNotice(plan.messages, plan.notice),
  }
}

function declaration({ name, description, inputSchema }: ToolText): GeminiDeclaration {
  return { name, description, parametersJsonSchema: { ...inputSchema, type: 'object' } }
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
  const about = isObject(system) && Array.isArray(system.parts) ? system : {}
  return { ...about, parts: [...systemParts(system), text(announcement)] }
}

/** The client takes a text, a part, a content, or a list of texts and parts. */
function systemParts(system: unknown): readonly Part[] {
  if (typeof system === 'string') return system === '' ? [] : [text(system)]
  if (Array.isArray(system)) return system.flatMap(systemParts)
  if (!isObject(system)) return []
  return Array.isArray(system.parts) ? partsOf(system) : [system]
}

/** News stand after what the user said last, where nothing before them changes. */
function withNotice<Message extends GeminiContent>(
  messages: readonly Message[],
  notice: string | undefined,
): Message[] {
  const at = messages.findLastIndex((message) => !isModel(message))
  if (notice === undefined || at < 0) return [...messages]
  const message = messages[at]!
  const parts = partsOf(message)
  // responses may not share their content with anything
  return parts.some(responseIn)
    ? messages.toSpliced(at + 1, 0, {
        role: 'user',
        parts: [text(notice)],
      } as GeminiContent as Message)
    : messages.with(at, { ...message, parts: [...parts, text(notice)] })
}
