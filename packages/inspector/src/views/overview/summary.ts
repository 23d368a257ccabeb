import type { Overview, ServerReport } from '../../api/contract.ts'

export const modeDescriptions: Record<Overview['mode'], string> = {
  search: 'Agents see a few gateway tools and find all others by search.',
  dynamic: 'Agents find tools by search. Found tools are added to their list.',
  passthrough: 'Agents see every tool in every request.',
  auto: 'Agents see every tool if there are only a few; otherwise they search.',
}

export interface ServersSummary {
  readonly ready: number
  readonly isTroubled: boolean
  readonly note: string | undefined
}

/** Summarises the servers' states. Idle servers count as ready: they start on first use. */
export function serversSummary(servers: readonly Pick<ServerReport, 'state'>[]): ServersSummary {
  const count = (...states: ServerReport['state'][]) =>
    servers.filter(({ state }) => states.includes(state)).length
  const notes = [
    [count('failed'), 'failed'],
    [count('needs-sign-in'), count('needs-sign-in') === 1 ? 'needs sign-in' : 'need sign-in'],
    [count('connecting'), 'connecting'],
  ] as const
  const texts = notes
    .filter(([number]) => number > 0)
    .map(([number, state]) => `${number} ${state}`)
  return {
    ready: count('ready', 'idle'),
    isTroubled: count('failed', 'needs-sign-in') > 0,
    note: texts.length > 0 ? texts.join(', ') : undefined,
  }
}
