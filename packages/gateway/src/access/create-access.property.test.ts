import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import type { AccessRuleConfig, ProfileConfig } from '../config/team-config.ts'
import type { Caller } from '../identity/caller.ts'
import { createAccess } from './create-access.ts'
import type { Rights } from './rights.ts'

const word = fc.constantFrom('a', 'b', 'get', 'read', 'ab')
const pattern = fc.oneof(word, fc.constantFrom('*', 'a*', '*b', '**'))
const entry = fc.oneof(
  pattern,
  fc.tuple(pattern, pattern).map((parts) => parts.join('/')),
  fc.constantFrom('read', 'write', 'destructive', 'open-world', 'tool:read', 'tool:*'),
  fc.tuple(pattern, pattern).map(([server, uri]) => `resource:${server}/x:${uri}`),
  fc.tuple(pattern, pattern).map((parts) => `prompt:${parts.join('/')}`),
)
const entries = fc.array(entry, { maxLength: 3 })
const group = fc.constantFrom('g1', 'g2', 'g3')
const value = fc.oneof(word, fc.constantFrom(1, true, null, 'a*'))
const subjects = fc.record(
  {
    groups: fc.array(group, { minLength: 1, maxLength: 2 }),
    people: fc.array(fc.constantFrom('p1', 'p2', 'p1@x.dev'), { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
)
const rule: fc.Arbitrary<AccessRuleConfig> = fc.oneof(
  fc.tuple(subjects, entries).map(([who, allow]) => ({ ...who, allow })),
  fc.tuple(subjects, entries).map(([who, deny]) => ({ ...who, deny })),
  fc
    .tuple(
      subjects,
      entries,
      fc.dictionary(word, fc.array(value, { minLength: 1 }), { minKeys: 1 }),
    )
    .map(([who, allow, conditions]) => ({ ...who, allow, arguments: conditions })),
)
const rules = fc.array(rule, { maxLength: 6 })
const profile: fc.Arbitrary<ProfileConfig> = fc
  .record(
    { servers: fc.array(word), allow: entries, deny: entries, readOnly: fc.boolean() },
    { requiredKeys: [] },
  )
  .map((given) => ({ deny: [], readOnly: false, ...given }))
const caller: fc.Arbitrary<Caller> = fc
  .record({
    subject: fc.constantFrom('p1', 'p2', 'p3'),
    groups: fc.array(fc.constantFrom('g1', 'g2', 'g3', 'g4'), { maxLength: 3 }),
    hasEmail: fc.boolean(),
    scope: fc.option(entries),
  })
  .map(({ subject, groups, hasEmail, scope }) => ({
    person: {
      id: `i ${subject}`,
      issuer: 'i',
      subject,
      groups,
      role: 'member',
      ...(hasEmail && { email: `${subject}@x.dev` }),
      ...(scope && { scope: { allow: scope } }),
    },
  }))
const tool = fc.record({
  server: word,
  name: word,
  annotations: fc.record(
    { readOnlyHint: fc.boolean(), destructiveHint: fc.boolean(), openWorldHint: fc.boolean() },
    { requiredKeys: [] },
  ),
})
const args = fc.dictionary(word, fc.oneof(value, fc.array(value, { maxLength: 2 })))
const request = fc.record({ tool, args })

const access = (given: readonly AccessRuleConfig[], profiles: Record<string, ProfileConfig> = {}) =>
  createAccess({ access: { rules: given, cedar: [] }, profiles })

type Request = typeof request extends fc.Arbitrary<infer Each> ? Each : never

/** Every decision on a request. */
function decisions(rights: Rights, { tool: judged, args: given }: Request): boolean[] {
  const { server, name } = judged
  return [
    rights.tool(judged).isAllowed,
    rights.call(judged, given).isAllowed,
    rights.resource({ server, uri: `x:${name}` }).isAllowed,
    rights.prompt({ server, name }).isAllowed,
    rights.server(server).isAllowed,
    rights.reaches(server),
    rights.reaches(server, 'tool'),
    rights.reaches(server, 'resource'),
    rights.reaches(server, 'prompt'),
  ]
}

const within = (fewer: readonly boolean[], more: readonly boolean[]) =>
  fewer.every((isAllowed, at) => !isAllowed || more[at])

/** The rules as the documentation describes them, without any preparation. */
function naiveTool(
  given: readonly AccessRuleConfig[],
  { person }: Caller,
  { server, name, annotations }: Request['tool'],
  calledWith?: Request['args'],
): boolean {
  const effect = annotations.readOnlyHint
    ? 'read'
    : annotations.destructiveHint === false
      ? 'write'
      : 'destructive'
  const effects = [effect, ...(annotations.openWorldHint === false ? [] : ['open-world'])]
  const isEffect = (text: string) => ['read', 'write', 'destructive', 'open-world'].includes(text)
  const matches = (glob: string, text: string) =>
    new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(text)
  const isNamed = (text: string) => {
    if (text.startsWith('tool:')) return matches(text.slice(5), name)
    if (/^(resource|prompt):/.test(text)) return false
    const slash = text.indexOf('/')
    return slash < 0
      ? matches(text, name)
      : matches(text.slice(0, slash), server) && matches(text.slice(slash + 1), name)
  }
  const applies = (each: AccessRuleConfig) =>
    (!each.groups && !each.people) ||
    each.groups?.some((one) => person.groups.includes(one)) ||
    each.people?.some((one) => one === person.subject || one === person.email)
  const isPermitted = (permitted: readonly unknown[], one: unknown): boolean =>
    permitted.some((each) =>
      typeof each === 'string' && typeof one === 'string' ? matches(each, one) : each === one,
    )
  const meets = (each: AccessRuleConfig) =>
    calledWith === undefined ||
    Object.entries(each.arguments ?? {}).every(
      ([key, permitted]) =>
        Object.hasOwn(calledWith, key) && isPermitted(permitted, calledWith[key]),
    )
  const mine = given.filter(applies)
  const isDenied = mine.some(({ deny = [] }) =>
    deny.some((text) => effects.includes(text) || isNamed(text)),
  )
  const isAllowed = mine.some(
    (each) =>
      meets(each) &&
      (each.allow ?? []).some((text) => (isEffect(text) ? effects.includes(text) : isNamed(text))),
  )
  return isAllowed && !isDenied
}

describe('rights of any rules', () => {
  it('are what the rules say', async () => {
    await checkProperty(
      fc.property(rules, caller, request, (given, { person }, asked) => {
        const { scope: _, ...unscoped } = person
        const rights = access(given).rightsOf({ person: unscoped })
        const expected = naiveTool(given, { person }, asked.tool)
        expect(rights.tool(asked.tool).isAllowed).toBe(expected)
        const called = naiveTool(given, { person }, asked.tool, asked.args)
        expect(rights.call(asked.tool, asked.args).isAllowed).toBe(called)
      }),
    )
  })

  it('never allow more if something is denied in addition', async () => {
    await checkProperty(
      fc.property(rules, subjects, entries, caller, request, (given, who, deny, someone, asked) => {
        const before = decisions(access(given).rightsOf(someone), asked)
        const after = decisions(access([...given, { ...who, deny }]).rightsOf(someone), asked)
        expect(within(after, before)).toBe(true)
      }),
    )
  })

  it('never allow more in a profile, or with a limited credential', async () => {
    await checkProperty(
      fc.property(rules, profile, caller, request, (given, p, { person }, asked) => {
        const { rightsOf } = access(given, { p })
        const { scope: _, ...unscoped } = person
        const all = decisions(rightsOf({ person: unscoped }), asked)
        expect(within(decisions(rightsOf({ person: unscoped, profile: 'p' }), asked), all)).toBe(
          true,
        )
        expect(within(decisions(rightsOf({ person }), asked), all)).toBe(true)
      }),
    )
  })

  it('are the same for callers with the same key', async () => {
    await checkProperty(
      fc.property(rules, caller, caller, request, (given, one, other, asked) => {
        // Separate instances, so that nothing but the key can be the same.
        const first = access(given).rightsOf(one)
        const second = access(given).rightsOf(other)
        fc.pre(first.key === second.key)
        expect(decisions(first, asked)).toEqual(decisions(second, asked))
      }),
    )
  })

  it('never allow a call of a hidden tool, or the texts of a server with one', async () => {
    await checkProperty(
      fc.property(rules, profile, caller, request, (given, p, someone, asked) => {
        const rights = access(given, { p }).rightsOf({ ...someone, profile: 'p' })
        const [isVisible, isCallable, isReadable, hasPrompt, isKnown, ...reached] = decisions(
          rights,
          asked,
        )
        const [isReached, reachesTools, reachesResources, reachesPrompts] = reached
        expect(isCallable && !isVisible).toBe(false)
        if (isKnown) expect([isVisible, isCallable, isReadable, hasPrompt]).not.toContain(false)
        expect(within([!!isVisible, !!isReadable, !!hasPrompt], reached.slice(1))).toBe(true)
        expect(isReached).toBe(reachesTools || reachesResources || reachesPrompts)
      }),
    )
  })
})

describe('many people', () => {
  it('share few rights', () => {
    const groups = Array.from({ length: 100 }, (_, at) => `g${at}`)
    const given = groups.map((each, at) => ({
      groups: [each],
      allow: [`server${at}/*`, `server${(at * 7) % 100}/get_*`, 'read'],
      ...(at % 5 === 0 ? { deny: ['*/delete_*'] } : {}),
    }))
    const { rightsOf } = access(given)
    const keys = new Set<string>()
    for (let at = 0; at < 10_000; at++) {
      const person = {
        id: `i p${at}`,
        issuer: 'i',
        subject: `p${at}`,
        groups: [groups[at % 100]!, groups[Math.floor(at / 100) % 2]!],
        role: 'member' as const,
      }
      keys.add(rightsOf({ person }).key)
    }
    expect(keys.size).toBeLessThan(250)
  })
})
