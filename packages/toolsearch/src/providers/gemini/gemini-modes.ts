import type { Mode } from '../provider.ts'

/** How tools can be deferred with the Gemini API, which has no deferral of its own. */
export type GeminiMode = 'bridge' | 'append'

export const geminiModes: Readonly<Record<GeminiMode, Mode>> = {
  bridge: { search: 'ours', reveal: 'text', bridge: true, needs: [] },
  append: { search: 'ours', reveal: 'list', needs: [] },
}
