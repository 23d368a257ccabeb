import { compareNames } from './compare-names.ts'
import type { ToolSource } from './tool.ts'

/** How it stands with a source whose tools may not be there yet, or no longer. */
export interface SourceState {
  readonly source: ToolSource
  readonly state: 'connecting' | 'ready' | 'failed' | 'needs-sign-in'
  /** What went wrong or what to do, for the model and the person behind it. */
  readonly detail?: string
}

/** A source's state is told by whoever connects it; a source never mentioned counts as ready. */
export interface SourceStates {
  set(state: SourceState): void
  remove(source: ToolSource): void
  /** Those whose tools a search cannot find now, by source name. */
  notReady(): readonly SourceState[]
}

export function createSourceStates(): SourceStates {
  const states = new Map<ToolSource, SourceState>()
  return {
    set: (state) => void states.set(state.source, state),
    remove: (source) => void states.delete(source),
    notReady: () =>
      [...states.values()]
        .filter(({ state }) => state !== 'ready')
        .sort((a, b) => compareNames(a.source, b.source)),
  }
}
