import { describing } from './input-schema.ts'
import type { SdkMode } from './sdk-mode.ts'

/** For any model: a tool that was found is put last in the list. */
export const appendMode: SdkMode = {
  searchTool: ({ definition, search }) => ({
    description: definition.description,
    inputSchema: describing(definition.inputSchema),
    execute: async (input: unknown) => (await search(input)).answer.text,
  }),
}
