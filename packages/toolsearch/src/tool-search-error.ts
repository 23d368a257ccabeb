/** Every error this library throws on purpose. Branch on `code`; the message is for people. */
export abstract class ToolSearchError extends Error {
  abstract readonly code: string
}
