/** What the model reads as the result of a tool. Never throws. */
export function outputText(output: unknown): { text: string; isError: boolean } {
  if (output instanceof Error) return { text: errorText(output), isError: true }
  if (typeof output === 'string') return { text: output, isError: false }
  try {
    // functions, symbols and undefined have no JSON
    return { text: JSON.stringify(output) ?? '', isError: false }
  } catch (error) {
    const [reason] = errorText(error).split('\n')
    const text = `The tool ran, but its result cannot be written as JSON: ${reason}`
    return { text, isError: true }
  }
}

/** The message of anything that was thrown. Never throws. */
export function errorText(error: unknown): string {
  try {
    const message = (error as Partial<Error> | null | undefined)?.message
    if (typeof message === 'string' && message !== '') return message
    return error instanceof Error ? error.name : String(error)
  } catch {
    // an object without a prototype has no text
    return 'Unknown error'
  }
}
