import { ToolSearchError } from '../tool-search-error.ts'

/** A tool definition is invalid. `toolName` and `field` say where. */
export class InvalidToolError extends ToolSearchError {
  override readonly name = 'InvalidToolError'
  readonly code = 'invalid_tool'
  readonly toolName: string
  /** A path such as `inputSchema.properties.limit.type`. Empty if the definition is not an object. */
  readonly field: string

  constructor(toolName: string, field: string, problem: string) {
    super(field === '' ? `${toolName} ${problem}` : `Tool "${toolName}": ${field} ${problem}`)
    this.toolName = toolName
    this.field = field
  }
}

/** A tool with the same name exists, and the `duplicates` option is not `'replace'`. */
export class DuplicateToolError extends ToolSearchError {
  override readonly name = 'DuplicateToolError'
  readonly code = 'duplicate_tool'
  readonly toolName: string

  constructor(toolName: string, existingSource: string, newSource: string) {
    super(
      `Tool "${toolName}" from ${newSource} is already in the catalogue, from ${existingSource}. ` +
        `Rename one, or pass { duplicates: 'replace' }.`,
    )
    this.toolName = toolName
  }
}
