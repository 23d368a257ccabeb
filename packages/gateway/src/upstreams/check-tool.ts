import { checkSchema } from 'toolsearch'
import { isTooDeep, MAX_DEPTH } from '../protocol/is-too-deep.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'

const LONGEST_NAME = 256

/**
 * Why a tool cannot be served, or nothing.
 *
 * The schema is read and not compiled: that is enough to find what no validator could compile, takes
 * a hundredth of the time, and runs nothing that a server wrote.
 */
export function checkTool(tool: unknown): string | undefined {
  if (typeof tool !== 'object' || tool === null) return 'It is no object.'
  const { name, inputSchema } = tool as McpTool
  if (typeof name !== 'string' || name === '') return 'It has no name.'
  if (name.length > LONGEST_NAME) return `Its name is longer than ${LONGEST_NAME} characters.`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'Its name has control characters.'
  if (isTooDeep(tool)) return `It is nested deeper than ${MAX_DEPTH} levels.`
  if (inputSchema === undefined) return 'It has no inputSchema.'
  const problem = checkSchema(inputSchema)
  if (!problem) return undefined
  return `Its inputSchema cannot be used: ${problem.path === '' ? 'it' : problem.path} ${problem.problem}.`
}
