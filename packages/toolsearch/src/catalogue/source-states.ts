import { type Check, complete, name, oneOf, text } from '../options/check-option.ts'
import { compareNames } from './compare-names.ts'
import type { ToolSource } from './tool.ts'

/** The connection state of a source, such as an MCP server. */
export interface SourceState {
  readonly source: ToolSource
  readonly state: 'connecting' | 'ready' | 'failed' | 'needs-sign-in'
  /** What went wrong or what to do, for the model and the user. */
  readonly detail?: string
}

/** The states of all sources. A source without a state is considered ready. */
export interface SourceStates {
  /** @throws InvalidOptionError */
  set(state: SourceState): void
  remove(source: ToolSource): void
  /** Sources whose tools cannot be searched now, sorted by name. */
  notReady(): readonly SourceState[]
}

const checkState = complete(
  {
    source: name,
    state: oneOf<SourceState['state']>({
      connecting: true,
      ready: true,
      failed: true,
      'needs-sign-in': true,
    }),
    detail: text,
  } satisfies Record<keyof SourceState, Check>,
  ['detail'],
)

export function createSourceStates(): SourceStates {
  const states = new Map<ToolSource, SourceState>()
  return {
    set(state) {
      checkState(state, 'state')
      states.set(state.source, state)
    },
    remove: (source) => void states.delete(source),
    notReady: () =>
      [...states.values()]
        .filter(({ state }) => state !== 'ready')
        .sort((a, b) => compareNames(a.source, b.source)),
  }
}
