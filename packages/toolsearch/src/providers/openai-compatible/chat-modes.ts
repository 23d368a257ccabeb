import { universalModes } from '../modes.ts'
import type { Mode } from '../provider.ts'

/** The ways to defer tools with Chat Completions. */
export type ChatMode = 'bridge' | 'append' | 'stub' | 'reference'

export const chatModes: Readonly<Record<ChatMode, Mode>> = {
  reference: {
    search: 'own',
    reveal: 'reference',
    // The last one is the error of chat templates that only know text.
    requires: ['defer_loading', 'tool_reference', 'item type in content'],
    fallback: 'bridge',
  },
  ...universalModes,
}
