import { describe, expect, it } from 'vitest'
import type { Finding } from '../inspection/lint-catalogue.ts'
import { groupFindings } from './group-findings.ts'

const serverOf = (tool: string) => tool.split('__')[0]
const finding = (kind: Finding['kind'], tool: string, others: string[] = []): Finding => ({
  kind,
  tool,
  others,
  message: `${kind} ${tool}`,
})

describe('groupFindings', () => {
  it('reports two servers with the same tools once', () => {
    const findings = Array.from({ length: 23 }, (_, at) => [
      finding('twin', `a__t${at}`, [`b__t${at}`]),
      finding('shadowed', `a__t${at}`, [`b__t${at}`]),
    ]).flat()
    expect(groupFindings(findings, serverOf)).toEqual([
      'a and b overlap: 23 tools with the same name or description (a__t0, a__t1, a__t2 and 20 more). ' +
        'A model may confuse them. Disable one server, or add its tools to "deny".',
    ])
  })

  it('keeps the message of a single pair, once', () => {
    const findings = [finding('twin', 'a__x', ['b__x']), finding('shadowed', 'a__x', ['b__x'])]
    expect(groupFindings(findings, serverOf)).toEqual(['twin a__x'])
  })

  it('lists a few findings of a kind, and summarizes many', () => {
    const few = ['a__1', 'a__2'].map((tool) => finding('token-hog', tool))
    const many = ['a__1', 'a__2', 'a__3', 'a__4'].map((tool) => finding('no-description', tool))
    expect(groupFindings([...few, ...many], serverOf)).toEqual([
      'token-hog a__1',
      'token-hog a__2',
      '4 tools have no description, so a search can only match their names: a__1, a__2, a__3 and 1 more. ' +
        'Run toolsearch doctor --json for details.',
    ])
  })

  it('always names every changed tool', () => {
    const findings = ['a__1', 'a__2', 'a__3', 'a__4', 'a__5'].map((tool) =>
      finding('changed', tool),
    )
    expect(groupFindings(findings, serverOf)).toHaveLength(5)
  })
})
