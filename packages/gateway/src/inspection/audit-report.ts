import { AUDIT_OUTCOMES, type AuditEntry } from '../audit/audit-entry.ts'
import type { AuditFilter, AuditReader } from '../audit/audit-store.ts'
import { RequestError } from './read-request.ts'

/** A page of the audit log, for administrators. */
export interface AuditReport {
  /** The period; ISO dates. */
  readonly since: string
  readonly until: string
  /** Latest first. */
  readonly entries: readonly AuditEntry[]
  /** Pass as `before` to get the next page; absent on the last one. */
  readonly next?: string
  /** False if the audit log is off. */
  readonly isOn: boolean
}

const DEFAULT_PAGE = 100
const MAX_PAGE = 500
const TEXTS = ['person', 'tool', 'server', 'action', 'profile', 'client', 'text'] as const

/** The filter in a URL, without the period. @throws RequestError */
export function readAuditFilter({ searchParams }: URL): AuditFilter {
  const texts = TEXTS.flatMap((name) => {
    const value = searchParams.get(name)
    return value ? [[name, value] as const] : []
  })
  const kind = searchParams.get('kind') || undefined
  if (kind !== undefined && kind !== 'request' && kind !== 'admin') {
    throw new RequestError(400, `Invalid kind "${kind}": use request or admin.`)
  }
  const outcome = searchParams.get('outcome') || undefined
  const known = AUDIT_OUTCOMES.find((each) => each === outcome)
  if (outcome !== undefined && !known) {
    throw new RequestError(400, `Invalid outcome: use ${AUDIT_OUTCOMES.join(', ')}.`)
  }
  const isNotFound = ['', '1', 'true'].includes(searchParams.get('notFound') ?? '0')
  return {
    ...Object.fromEntries(texts),
    ...(kind && { kind }),
    ...(known && { outcome: known }),
    ...(isNotFound && { notFound: true }),
  }
}

/** @throws RequestError */
export function readAuditPage({ searchParams }: URL): { limit: number; before?: string } {
  const limit = Number(searchParams.get('limit') || DEFAULT_PAGE)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw new RequestError(400, `Invalid limit: use a whole number from 1 to ${MAX_PAGE}.`)
  }
  const before = searchParams.get('before')
  return { limit, ...(before && { before }) }
}

/** @param reader undefined if the audit log is off */
export async function auditReport(
  reader: AuditReader | undefined,
  period: { readonly since: number; readonly until: number },
  filter: AuditFilter,
  page: { readonly limit: number; readonly before?: string },
): Promise<AuditReport> {
  const found = (await reader?.query({ ...filter, ...period }, page)) ?? { entries: [] }
  return {
    since: new Date(period.since).toISOString(),
    until: new Date(period.until).toISOString(),
    ...found,
    isOn: reader !== undefined,
  }
}
