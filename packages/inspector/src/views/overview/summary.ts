import type { Overview, ServerReport } from '../../api/contract.ts'

export const modeDescriptions: Record<Overview['mode'], string> = {
  search: 'Agents see a few gateway tools and find all others by search.',
  dynamic: 'Agents find tools by search. Found tools are added to their list.',
  passthrough: 'Agents see every tool in every request.',
  auto: 'Agents see every tool if there are only a few; otherwise they search.',
}

export interface ServersSummary {
  readonly isTroubled: boolean
  /** Such as `3 ready, 1 idle, tools from cache, 1 failed`. */
  readonly note: string
}

/** Summarises the servers' states. */
export function serversSummary(
  servers: readonly Pick<ServerReport, 'state' | 'tools'>[],
): ServersSummary {
  const inState = (state: ServerReport['state']) =>
    servers.filter((server) => server.state === state)
  const count = (state: ServerReport['state']) => inState(state).length
  const hasCachedTools = inState('idle').some(({ tools }) => tools > 0)
  const notes = [
    [count('failed'), 'failed'],
    [count('needs-sign-in'), count('needs-sign-in') === 1 ? 'needs sign-in' : 'need sign-in'],
    [count('connecting'), 'connecting'],
    [count('ready'), 'ready'],
    [count('idle'), hasCachedTools ? 'idle, tools from cache' : 'idle'],
  ] as const
  return {
    isTroubled: count('failed') + count('needs-sign-in') > 0,
    note: notes
      .filter(([number]) => number > 0)
      .map(([number, state]) => `${number} ${state}`)
      .join(', '),
  }
}
