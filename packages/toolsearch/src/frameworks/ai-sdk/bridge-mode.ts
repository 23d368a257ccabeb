import { CALL_TOOL_NAME } from '../../tool-search/call-tool.ts'
import { resultFormat } from '../../tool-search/result-format.ts'
import { unvalidatedSchema } from './input-schema.ts'
import type { SdkMode } from './sdk-mode.ts'

// the search result is the only place where the model sees the schema
const result = resultFormat({ detail: 'schemas', again: true, callWith: CALL_TOOL_NAME })

/** For any model: search results contain the schemas, and the model calls with `call_tool`. */
export const bridgeMode: SdkMode = {
  reveal: 'call-tool',
  searchTool: ({ definition, search }) => ({
    description: definition.description,
    inputSchema: unvalidatedSchema(definition.inputSchema),
    execute: async (input: unknown) => (await search(input, { result })).answer.text,
  }),
}
