import type { AuditEntry } from './audit-entry.ts'

const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => unknown>> = {
  at: ({ at }) => at,
  kind: ({ kind }) => kind,
  person: ({ person }) => person,
  name: ({ name }) => name,
  email: ({ email }) => email,
  groups: ({ groups }) => groups?.join(' '),
  action: ({ action }) => action,
  server: ({ target }) => target?.server,
  target: ({ target }) => target?.name,
  profile: ({ profile }) => profile,
  client: ({ client }) => client,
  session: ({ session }) => session,
  script: ({ script }) => script,
  replica: ({ replica }) => replica,
  claimed: ({ claimed }) => claimed,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
  error: ({ error }) => error,
  milliseconds: ({ milliseconds }) => milliseconds,
  requestBytes: ({ requestBytes }) => requestBytes,
  resultBytes: ({ resultBytes }) => resultBytes,
  queries: ({ searches }) => searches?.map(({ query }) => query).join(' | '),
  hits: ({ searches }) => searches?.map(({ hits }) => hits.join(' ')).join(' | '),
  arguments: ({ arguments: args }) => (args === undefined ? undefined : JSON.stringify(args)),
  detail: ({ detail }) => (detail === undefined ? undefined : JSON.stringify(detail)),
  id: ({ id }) => id,
}

export const CSV_HEADER: string = Object.keys(COLUMNS).join(',')

/** An entry as a line of CSV (RFC 4180), without the end of the line. */
export function auditCsv(entry: AuditEntry): string {
  return Object.values(COLUMNS)
    .map((column) => field(column(entry)))
    .join(',')
}

function field(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = String(value).replace(/\p{Cc}/gu, ' ')
  // Spreadsheets run texts that start like this as formulas.
  const safe = /^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
