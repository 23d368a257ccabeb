import type { Mode } from '../provider.ts'

/** The ways to defer tools with Chat Completions. */
export type ChatMode = 'bridge' | 'append' | 'stub' | 'reference'

export const chatModes: Readonly<Record<ChatMode, Mode>> = {
  bridge: { search: 'toolsearch', reveal: 'text', bridge: true, requires: [] },
  append: { search: 'toolsearch', reveal: 'list', requires: [] },
  stub: { search: 'toolsearch', reveal: 'text', stubs: true, bridge: true, requires: [] },
  reference: {
    search: 'toolsearch',
    reveal: 'messages',
    declaresDeferred: true,
    keepsRemoved: true,
    forcesOnlyListed: true,
    callsDescribed: true,
    // The last one is the error of chat templates that only know text.
    requires: ['defer_loading', 'tool_reference', 'item type in content'],
    fallback: 'bridge',
  },
}
