/** A tool that the model can call in reply to a request, as the service knows it. */
export interface CallableTool {
  name: string
  /** The JSON Schema of the arguments. Undefined if the service does not restrict them. */
  schema: unknown
}
