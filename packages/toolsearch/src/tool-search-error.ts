/** The base class of this library's errors. Branch on `code`; the message is for people. */
export abstract class ToolSearchError extends Error {
  abstract readonly code: string
}
