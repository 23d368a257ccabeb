import {
  createToolSearch,
  InvalidToolError,
  type Tool,
  type ToolDefinition,
  ToolSearchError,
} from 'toolsearch'
import { InputError } from './input-error.ts'
import { dropUnknownTypes, keepNames } from './mend-schema.ts'
import { type Line, readLines } from './read-lines.ts'

export interface ToolsRead {
  readonly tools: readonly Tool[]
  /** How many have a schema the catalogue refuses, and take part with what could be kept of it. */
  readonly mended: number
}

/** The tools of all files together, in their order. @throws InputError */
export async function readTools(files: readonly string[]): Promise<ToolsRead> {
  const { catalogue } = createToolSearch()
  let mended = 0
  for (const file of files) {
    for await (const line of readLines(file)) add(line)
  }
  if (catalogue.size === 0) throw new InputError(`No tools in ${files.join(', ')}.`)
  return { tools: catalogue.tools(), mended }

  function add(line: Line): void {
    const definition = toDefinition(line.fields)
    const { inputSchema } = definition
    try {
      catalogue.add(definition)
    } catch (error) {
      if (!isSchemaProblem(error)) throw explained(error, line)
      mended++
      try {
        catalogue.add({ ...definition, inputSchema: dropUnknownTypes(inputSchema) })
      } catch {
        addWithNames(definition, line)
      }
    }
  }

  function addWithNames(definition: ToolDefinition, line: Line): void {
    try {
      catalogue.add({ ...definition, inputSchema: keepNames(definition.inputSchema) })
    } catch (error) {
      throw explained(error, line)
    }
  }
}

/** Our files say `parameters` and `server`; an entry of an MCP `tools/list` is read as it stands. */
function toDefinition({ parameters, server, ...fields }: Line['fields']): ToolDefinition {
  return {
    ...(parameters !== undefined && { inputSchema: parameters }),
    ...(typeof server === 'string' && { source: `mcp:${server}` }),
    ...fields,
  } as unknown as ToolDefinition
}

function isSchemaProblem(error: unknown): boolean {
  return error instanceof InvalidToolError && error.field.split('.')[0] === 'inputSchema'
}

function explained(error: unknown, { place }: Line): unknown {
  return error instanceof ToolSearchError ? new InputError(`${place}: ${error.message}`) : error
}
