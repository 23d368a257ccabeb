import { withObjectRoot } from '../catalogue/object-root.ts'
import { type RequestFields, requestFields } from '../catalogue/request-fields.ts'
import type { JsonSchema, Tool } from '../catalogue/tool.ts'
import { validSchema } from '../catalogue/valid-schema.ts'
import type { CountTokens } from './estimate-tokens.ts'

/** The part of a tool that a request contains. */
export interface ToolText extends RequestFields {
  readonly name: string
  readonly description: string
  /** Valid JSON Schema for an object, even if the tool's own schema is not. */
  readonly inputSchema: JsonSchema
}

const texts = new WeakMap<Tool | ToolText, ToolText>()

/** Returns the same object for the same tool every time. Tools must not be changed afterwards. */
export function toolText(tool: Tool | ToolText): ToolText {
  let text = texts.get(tool)
  if (text === undefined) {
    text = { ...textOf(tool), inputSchema: withObjectRoot(validSchema(tool.inputSchema)) }
    texts.set(tool, text)
  }
  return text
}

/** The tokens of a definition in a request: name, description, schema and optional fields as JSON. */
export function toolTokens(tool: Tool | ToolText, countTokens: CountTokens): number {
  return countTokens(JSON.stringify(textOf(tool)))
}

function textOf(tool: Tool | ToolText): ToolText {
  const { name, description, inputSchema } = tool
  return { name, description, inputSchema, ...requestFields(tool) }
}
