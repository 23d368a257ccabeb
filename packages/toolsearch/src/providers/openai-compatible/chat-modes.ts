import type { Mode } from '../provider.ts'

/** How tools can be deferred where the API knows nothing of it. */
export type ChatMode = 'bridge' | 'append' | 'stub'

export const chatModes: Readonly<Record<ChatMode, Mode>> = {
  bridge: { search: 'ours', reveal: 'text', bridge: true, needs: [] },
  append: { search: 'ours', reveal: 'list', needs: [] },
  stub: { search: 'ours', reveal: 'text', stubs: true, needs: [] },
}
