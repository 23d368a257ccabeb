import type { CallableTool } from './callable-tool.ts'
import { schemaMismatch } from './invalid-schema.ts'
import { ImpossibleReplyError, type Reply } from './reply.ts'

/**
 * A service with constrained decoding cannot send a call that the schemas of its request exclude.
 *
 * @throws ImpossibleReplyError
 */
export function checkReply(
  { calls = [], clientSearch }: Reply,
  tools: readonly CallableTool[],
): void {
  const searches = clientSearch ? [{ name: 'tool_search', ...clientSearch }] : []
  for (const { name, arguments: input } of [...searches, ...calls]) {
    const tool = tools.find((known) => known.name === name)
    if (tool === undefined) {
      const names = tools.map((known) => known.name).join(', ') || 'none'
      throw impossible(`The model cannot call "${name}" here. It can call: ${names}.`)
    }
    const mismatch = tool.schema === undefined ? undefined : schemaMismatch(tool.schema, input)
    if (mismatch !== undefined) {
      throw impossible(
        `The model cannot call "${name}" with ${JSON.stringify(input)}: ${mismatch}. ` +
          `Its schema in the request: ${JSON.stringify(tool.schema)}.`,
      )
    }
  }
}

function impossible(message: string): ImpossibleReplyError {
  return new ImpossibleReplyError(
    `${message} If the model is meant to make this mistake, the reply needs \`unconstrained: true\`.`,
  )
}
