import { auditCsv, CSV_HEADER } from '../../audit/audit-csv.ts'
import type { AuditEntry } from '../../audit/audit-entry.ts'
import { writeAuditLine } from '../../audit/audit-line.ts'
import { auditReport, readAuditFilter, readAuditPage } from '../audit-report.ts'
import { readPeriod } from '../read-action.ts'
import { RequestError } from '../read-request.ts'
import { nowOf, type Routes } from './route.ts'

const CHUNK = 65_536
const WEEK_MS = 7 * 86_400_000

/** The audit log, for administrators only: it contains what everybody did. */
export const AUDIT_ROUTES: Routes = {
  '/api/audit': {
    GET: async ({ target, url }) => {
      const now = nowOf(target)
      const period = readPeriod(url, { now, defaultSince: now - WEEK_MS })
      return auditReport(target.audit, period, readAuditFilter(url), readAuditPage(url))
    },
  },
  '/api/audit/export': {
    GET: async ({ target, url }) => {
      const { audit } = target
      if (!audit) throw new RequestError(409, 'The audit log is off.')
      const format = url.searchParams.get('format') ?? 'jsonl'
      if (format !== 'jsonl' && format !== 'csv') {
        throw new RequestError(400, 'Invalid format: use jsonl or csv.')
      }
      const now = nowOf(target)
      const period = readPeriod(url, { now, defaultSince: now - WEEK_MS })
      const entries = audit.export({ ...readAuditFilter(url), ...period })
      const isCsv = format === 'csv'
      return new Response(textStream(isCsv ? csvLines(entries) : jsonLines(entries)), {
        headers: {
          'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/jsonl',
          'content-disposition': `attachment; filename="audit.${format}"`,
          'cache-control': 'no-store',
        },
      })
    },
  },
}

async function* jsonLines(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield writeAuditLine(entry)
}

async function* csvLines(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  yield `${CSV_HEADER}\r\n`
  for await (const entry of entries) yield `${auditCsv(entry)}\r\n`
}

function textStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      let text = ''
      while (text.length < CHUNK) {
        const { value, done } = await lines.next()
        if (done) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += value
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}
