import { DuplicateToolError, InvalidToolError } from '../catalogue/catalogue-errors.ts'
import { listDefinitions } from '../catalogue/list-definitions.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { Tool, ToolSource } from '../catalogue/tool.ts'
import type { ToolInputs } from '../catalogue/tool-input.ts'
import { type Check, check } from '../options/check-option.ts'

/** A tool as plain JSON, which is what an engine stores. */
export type StoredTool = Omit<Tool, 'execute' | 'validator'>

/**
 * Reads definitions of any shape. The last one of several with the same name counts.
 * @throws InvalidToolError
 */
export function readTools(definitions: ToolInputs, source?: ToolSource): readonly Tool[] {
  const tools = new Map<string, Tool>()
  for (const { definition, ...place } of listDefinitions(definitions)) {
    const tool = readDefinition(definition, { ...place, ...(source && { source }) })
    if (source && tools.has(tool.name)) throw new DuplicateToolError(tool.name, source, source)
    checkText(tool, 'name', tool.name)
    if (tool.skill) {
      const problem = 'cannot be stored in an engine; pass skills as tools of the session instead'
      throw new InvalidToolError(tool.name, 'skill', problem)
    }
    checkText(tool, 'source', tool.source)
    tools.set(tool.name, tool)
  }
  return [...tools.values()]
}

/** Databases store neither a NUL character nor half of a surrogate pair. */
function checkText({ name }: Tool, field: string, text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new InvalidToolError(
      name,
      field,
      'must consist of complete Unicode characters without NUL',
    )
  }
}

export function toStored({ execute: _, validator: __, ...stored }: Tool): StoredTool {
  return stored
}

/** @throws InvalidOptionError */
export const checkSource: Check = check(
  (value) => typeof value === 'string' && value !== '',
  'use a name such as "mcp:github"',
)
