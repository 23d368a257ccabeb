import { createToolSearch, type Tool, type ToolDefinition, ToolSearchError } from 'toolsearch'
import { InputError } from '../input-error.ts'
import { type Line, readLines } from './read-lines.ts'
import { repairDefinition } from './repair-definition.ts'

/** A tool definition from a file, repaired if the catalogue would reject its schema. */
export interface DefinitionLine {
  readonly definition: ToolDefinition
  readonly isRepaired: boolean
  /** `file:line`, for messages. */
  readonly place: string
}

/** Reads the tool definitions of a file. @throws InputError */
export function readDefinitions(file: string): DefinitionLine[] {
  return readLines(file).map(({ fields, place }) => {
    const original = toDefinition(fields)
    const definition = withPlace(place, () => repairDefinition(original))
    return { definition, isRepaired: definition !== original, place }
  })
}

export interface ToolsRead {
  readonly tools: readonly Tool[]
  /** How many tools have a schema that the catalogue rejects and that had to be repaired. */
  readonly repaired: number
}

/** Reads the tools of several files into one catalogue, in order. @throws InputError */
export function readTools(files: readonly string[]): ToolsRead {
  const { catalogue } = createToolSearch()
  let repaired = 0
  for (const { definition, isRepaired, place } of files.flatMap(readDefinitions)) {
    withPlace(place, () => catalogue.add(definition))
    if (isRepaired) repaired++
  }
  if (catalogue.size === 0) throw new InputError(`No tools in ${files.join(', ')}.`)
  return { tools: catalogue.tools(), repaired }
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
