import { unvalidatedSchema } from './input-schema.ts'
import type { SdkMode } from './sdk-mode.ts'

/** For any model: search results contain the schemas, and the model calls with `call_tool`. */
export const bridgeMode: SdkMode = {
  reveal: 'call-tool',
  searchTool: ({ definition, search }) => ({
    description: definition.description,
    inputSchema: unvalidatedSchema(definition.inputSchema),
    execute: async (input: unknown) => (await search(input)).answer.text,
  }),
}
