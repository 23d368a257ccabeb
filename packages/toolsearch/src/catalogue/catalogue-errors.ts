import { ToolSearchError } from '../tool-search-error.ts'

/** A tool definition is invalid. `toolName` and `field` say where. */
export class InvalidToolError extends ToolSearchError {
  override readonly name = 'InvalidToolError'
  readonly code = 'invalid_tool'
  /** Empty if the definition has no name. */
  readonly toolName: string
  /** A path such as `inputSchema.properties.limit.default`. Empty if the definition is not an object. */
  readonly field: string

  /**
   * @param place how to refer to the definition, if it has no name
   * @param subject what the sentence starts with, if it is not the field
   */
  constructor(
    toolName: string,
    field: string,
    problem: string,
    place = `Tool "${toolName}":`,
    subject: string = field,
  ) {
    super([place, subject, problem].filter(Boolean).join(' '))
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
        `Rename one, or add it with catalogue.add(…, { duplicates: 'replace' }).`,
    )
    this.toolName = toolName
  }
}
