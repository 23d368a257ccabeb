import { expect, it } from 'vitest'
import { auditCsv, CSV_HEADER } from './audit-csv.ts'
import { auditEntry } from './audit-store.cases.ts'

it('writes one line per entry, which spreadsheets read as text', () => {
  const entry = auditEntry(1, {
    name: '=HYPERLINK("http://evil.example")',
    client: 'a, "b"\nc',
    searches: [{ query: '-1+1', hits: ['a', 'b'] }],
  })
  const line = auditCsv(entry)
  expect(line).not.toMatch(/[\n\r]/)
  expect(line).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
  expect(auditCsv(auditEntry(1, { name: '＝1+1' }))).toContain("'＝1+1")
  expect(line).toContain('"a, ""b"" c"')
  expect(line).toContain(`'-1+1,a b,`)
  expect(
    auditCsv(auditEntry(1))
      .replace(/"[^"]*("")*[^"]*"/g, '')
      .split(','),
  ).toHaveLength(CSV_HEADER.split(',').length)
})
