import type { Overview, ServerReport } from '../../api/contract.ts'

export const modeWords: Record<Overview['mode'], string> = {
  search: 'Agents see a few tools of the gateway, and find all others by search.',
  dynamic: 'Agents find tools by search; those they found join their list.',
  passthrough: 'Agents see every tool in every request.',
  auto: 'Agents see every tool while they are few, and search above that.',
}

export interface ServersSummary {
  readonly ready: number
  readonly isTroubled: boolean
  readonly note: string | undefined
}

/** How the servers are, in one glance. What waits to be needed counts as ready. */
export function serversSummary(servers: readonly Pick<ServerReport, 'state'>[]): ServersSummary {
  const count = (...states: ServerReport['state'][]) =>
    servers.filter(({ state }) => states.includes(state)).length
  const notes = [
    [count('failed'), 'failed'],
    [count('needs-sign-in'), 'to sign in'],
    [count('connecting'), 'connecting'],
  ] as const
  const said = notes.filter(([many]) => many > 0).map(([many, what]) => `${many} ${what}`)
  return {
    ready: count('ready', 'idle'),
    isTroubled: count('failed', 'needs-sign-in') > 0,
    note: said.length > 0 ? said.join(', ') : undefined,
  }
}
