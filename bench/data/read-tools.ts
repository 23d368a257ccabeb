import { createToolSearch, type Tool, type ToolDefinition, ToolSearchError } from 'toolsearch'
import { InputError } from '../input-error.ts'
import { type Line, readLines } from './read-lines.ts'

/** A tool definition from a file. */
export interface DefinitionLine {
  readonly definition: ToolDefinition
  /** `file:line`, for messages. */
  readonly place: string
}

/** Reads the tool definitions of a file. @throws InputError */
export function readDefinitions(file: string): DefinitionLine[] {
  return readLines(file).map(({ fields, place }) => ({ definition: toDefinition(fields), place }))
}

/** Reads the tools of several files into one catalogue, in order. @throws InputError */
export function readTools(files: readonly string[]): readonly Tool[] {
  const { catalogue } = createToolSearch()
  for (const { definition, place } of files.flatMap(readDefinitions)) {
    withPlace(place, () => catalogue.add(definition))
  }
  if (catalogue.size === 0) throw new InputError(`No tools in ${files.join(', ')}.`)
  return catalogue.tools()
}

/** Converts the `parameters` and `server` of data sets. MCP `tools/list` entries stay unchanged. */
function toDefinition({ parameters, server, ...fields }: Line['fields']): ToolDefinition {
  return {
    ...(parameters !== undefined && { inputSchema: parameters }),
    ...(typeof server === 'string' && { source: `mcp:${server}` }),
    ...fields,
  } as unknown as ToolDefinition
}

/** Adds file and line to the library's errors. */
function withPlace<Result>(place: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof ToolSearchError)) throw error
    throw new InputError(`${place}: ${error.message}`)
  }
}
