import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../../testing/deep.ts'
import { formatProblem } from '../../config/config-problem.ts'
import type { Person } from '../../identity/person.ts'
import { type CedarModule, loadCedarModule } from './cedar-module.ts'
import { createPolicies } from './create-policies.ts'
import { readPolicies } from './read-policies.ts'

let cedar: CedarModule
beforeAll(async () => {
  cedar = await loadCedarModule()
})

let slots = 0
function policiesOf(text: string) {
  const found = readPolicies(cedar, [{ file: '/etc/team.cedar', text }])
  if ('problems' in found) throw new Error(found.problems.map(formatProblem).join('\n'))
  return createPolicies(cedar, found.policies, `property ${++slots}`)
}

describe('decisions of Cedar policies', () => {
  const scopes = fc.constantFrom(
    'principal',
    'principal in Group::"g1"',
    'principal is Person in Group::"g2"',
    'principal == Person::"i p1"',
  )
  const resources = fc.constantFrom(
    'resource',
    'resource in Server::"a"',
    'resource == Tool::"a/x"',
    'resource is Tool',
  )
  const conditions = fc.constantFrom(
    '',
    'when { resource is Tool && resource.effect == "read" }',
    'when { resource has name && resource.name like "x*" }',
    'when { principal has email && principal.email like "*@x.dev" }',
    'unless { principal in [Group::"g1", Group::"g3"] }',
    'when { resource.server == "b" }',
    'when { context.arguments.n == 1 }',
    'when { resource.openWorld && context.arguments.n == 1 }',
    'unless { principal == Person::"i p2" }',
  )
  const policyText = fc
    .tuple(fc.constantFrom('permit', 'permit', 'forbid'), scopes, resources, conditions)
    .map(([effect, who, what, when]) => `${effect}(${who}, action, ${what}) ${when};`)
  const someone = fc
    .record({
      subject: fc.constantFrom('p1', 'p2', 'p3'),
      groups: fc.array(fc.constantFrom('g1', 'g2', 'g3', 'g4'), { maxLength: 3 }),
      email: fc.constantFrom(undefined, 'a@x.dev', 'b@y.dev'),
    })
    .map(
      ({ subject, groups, email }): Person => ({
        id: `i ${subject}`,
        issuer: 'i',
        subject,
        groups,
        role: 'member',
        ...(email && { email }),
      }),
    )
  const someTool = fc.record({
    server: fc.constantFrom('a', 'b'),
    name: fc.constantFrom('x', 'xy', 'z'),
    annotations: fc.record({ readOnlyHint: fc.boolean(), openWorldHint: fc.boolean() }),
  })

  it('are the same for people with the same key and in any order of questions', async () => {
    await checkProperty(
      fc.property(
        fc.array(policyText, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(someone, someTool), { minLength: 2, maxLength: 6 }),
        (texts, questions) => {
          const shared = policiesOf(texts.join('\n'))
          const first = new Map<string, ReturnType<typeof shared.deciderFor>>()
          for (const [who, asked] of questions) {
            const key = shared.keyOf(who)
            const decider = first.get(key) ?? shared.deciderFor(who)
            first.set(key, decider)
            const fresh = policiesOf(texts.join('\n')).deciderFor(who)
            expect(decider.tool(asked)).toEqual(fresh.tool(asked))
            const called = decider.call(asked, { n: 1 })
            expect(called).toEqual(fresh.call(asked, { n: 1 }))
            expect(called.isAllowed && !decider.tool(asked).isAllowed).toBe(false)
            expect(decider.server(asked.server)).toEqual(fresh.server(asked.server))
            const { server, name } = asked
            const isReached = decider.reaches(server, 'tool')
            expect(decider.tool(asked).isAllowed && !isReached).toBe(false)
            const isReadable = decider.resource({ server, uri: name }).isAllowed
            expect(isReadable && !decider.reaches(server, 'resource')).toBe(false)
          }
        },
      ),
      { cases: 20, deepCases: 300 },
    )
  })
})
