import type { ToolOutput } from './output-part.ts'
import { outputText } from './output-text.ts'

/** Reads what a tool returned. Never throws. */
export function readOutput(output: unknown): ToolOutput {
  const { text, isError } = outputText(output)
  return { parts: [{ type: 'text', text }], isError }
}
