import { describe, expect, it } from 'vitest'
import type { AccessRuleConfig, ProfileConfig } from '../config/team-config.ts'
import { LOCAL_CALLER } from '../identity/caller.ts'
import { type Person, personId } from '../identity/person.ts'
import { createAccess } from './create-access.ts'
import { ALL_RIGHTS, type Rights } from './rights.ts'

const ISSUER = 'https://login.example.com'
const read = { readOnlyHint: true }

function person(subject: string, more: Partial<Person> = {}): Person {
  const id = personId(ISSUER, subject)
  return { id, issuer: ISSUER, subject, groups: [], role: 'member', ...more }
}

const ann = person('ann', { groups: ['engineering'], email: 'ann@example.com' })

interface Options {
  readonly who?: Person
  readonly profile?: string
  readonly profiles?: Record<string, Partial<ProfileConfig>>
}

function rights(
  rules: readonly AccessRuleConfig[] | undefined,
  { who = ann, profile, profiles = {} }: Options = {},
): Rights {
  const complete = Object.fromEntries(
    Object.entries(profiles).map(([name, given]) => [
      name,
      { deny: [], readOnly: false, ...given },
    ]),
  )
  const config = { ...(rules && { access: { rules, cedar: [] } }), profiles: complete }
  return createAccess(config).rightsOf({ person: who, ...(profile !== undefined && { profile }) })
}

function tool(path: string, annotations = {}) {
  const [server = '', name = ''] = path.split('/')
  return { server, name, annotations }
}

describe('rights', () => {
  it('are unlimited without rules, a profile or a limited credential', () => {
    expect(rights(undefined)).toBe(ALL_RIGHTS)
    expect(createAccess({ profiles: {} }).rightsOf(LOCAL_CALLER)).toBe(ALL_RIGHTS)
  })

  it('permit nothing unless a rule allows it', () => {
    const none = rights([])
    expect(none.tool(tool('github/x')).isAllowed).toBe(false)
    expect(none.resource({ server: 'github', uri: 'a:b' }).isAllowed).toBe(false)
    expect(none.prompt({ server: 'github', name: 'x' }).isAllowed).toBe(false)
    expect(none.server('github').isAllowed).toBe(false)
    expect(none.reaches('github')).toBe(false)
  })

  it('name the rule that decided', () => {
    const rules = [{ allow: ['gitlab/*', 'github/*'] }, { deny: ['x', 'destructive'] }]
    const { tool: decide } = rights(rules)
    expect(decide(tool('github/get', read))).toEqual({
      isAllowed: true,
      reason: 'toolsearch.access.rules[0].allow[1]',
    })
    expect(decide(tool('github/wipe')).reason).toBe('toolsearch.access.rules[1].deny[1]')
    expect(decide(tool('files/get', read)).reason).toBe(
      'no rule of toolsearch.access.rules allows it',
    )
  })

  it('let a deny of any group overrule the allow of another', () => {
    const rules = [
      { allow: ['*'], groups: ['engineering'] },
      { deny: ['github/*'], groups: ['contractors'] },
    ]
    const both = person('bob', { groups: ['engineering', 'contractors'] })
    expect(rights(rules).tool(tool('github/x')).isAllowed).toBe(true)
    expect(rights(rules, { who: both }).tool(tool('github/x')).isAllowed).toBe(false)
    expect(rights(rules, { who: both }).tool(tool('files/x')).isAllowed).toBe(true)
  })

  it.each<[string, Person, boolean]>([
    ['a subject', person('eve'), true],
    ['a subject of another issuer', { ...person('x'), subject: 'eve', issuer: 'other' }, true],
    ['another subject', person('Eve'), false],
    ['an issuer and a subject', person('dan'), true],
    ['another issuer', { ...person('dan'), issuer: 'https://other', id: 'x dan' }, false],
    ['a verified email address', person('x', { email: 'eve@example.com' }), true],
    ['the id of a key', { ...person('x'), issuer: 'key', subject: 'key_1' }, true],
    ['a name, which anybody can choose', person('x', { name: 'eve' }), false],
    ['a group that is named like a person', person('x', { groups: ['eve'] }), false],
  ])('find people by %s', (_, who, isAllowed) => {
    const people = ['eve', `${ISSUER} dan`, 'Eve@Example.com', 'key_1']
    expect(rights([{ allow: ['*'], people }], { who }).tool(tool('a/x')).isAllowed).toBe(isAllowed)
  })

  it('ask for one of groups and people, not for both', () => {
    const rules = [{ allow: ['*'], groups: ['sales'], people: ['ann'] }]
    expect(rights(rules).tool(tool('a/x')).isAllowed).toBe(true)
  })

  describe('to resources and prompts', () => {
    const uri = 'file:///docs/a.md'
    it.each<[string, string, boolean, boolean]>([
      ['everything', '*', true, true],
      ['everything of a server', 'wiki/*', true, true],
      ['everything of another server', 'github/*', false, false],
      ['the tools of all servers', 'tool:*', false, false],
      ['tools by name', 'wiki/get_*', false, false],
      ['tools by effect', 'read', false, false],
      ['all resources', 'resource:*', true, false],
      ['resources of a server', 'resource:wiki/*', true, false],
      ['a folder', 'resource:wiki/file:///docs/*', true, false],
      ['a folder of any server', 'resource:file:///docs/*', true, false],
      ['another folder', 'resource:wiki/file:///other/*', false, false],
      ['prompts', 'prompt:wiki/sum*', false, true],
      ['prompts of any server', 'prompt:summarize', false, true],
      ['skills', 'skill:wiki/*', false, false],
    ])('come with %s', (_, entry, resource, prompt) => {
      const given = rights([{ allow: [entry] }])
      expect(given.resource({ server: 'wiki', uri }).isAllowed).toBe(resource)
      expect(given.prompt({ server: 'wiki', name: 'summarize' }).isAllowed).toBe(prompt)
      const taken = rights([{ allow: ['*'] }, { deny: [entry] }])
      expect(taken.resource({ server: 'wiki', uri }).isAllowed).toBe(!resource)
      expect(taken.prompt({ server: 'wiki', name: 'summarize' }).isAllowed).toBe(!prompt)
    })

    it.each([
      'file:///docs/../etc/passwd',
      'file:///docs/%2e%2e/etc/passwd',
      'file:///docs/..%2fetc/passwd',
      'file:///docs/%252e%252e/../x',
      'file:///docs/..%2fetc/passwd?%',
      'file:///docs/..%2fetc/passwd#%',
      'file:///docs/..%2fetc/passwd?x=%zz%ff',
      'file:///docs/..%252fetc/passwd',
      'file:///docs/%25252e%25252e%25252fetc',
      'FILE:///docs/a.md',
      'x://docs/../../y',
    ])('are not extended by the spelling %s', (spelling) => {
      const given = rights([{ allow: ['resource:wiki/file:///docs/*'] }])
      expect(given.resource({ server: 'wiki', uri: spelling }).isAllowed).toBe(false)
    })

    it.each([
      ['wiki/*', true],
      ['*', true],
      ['skill:wiki/*', true],
      ['skill:wiki/docs/*', true],
      ['skill:docs/release', false],
      ['skill:wiki/docs/release', true],
      ['skill:blog/*', false],
      ['skill:wiki/other', false],
      ['tool:*', false],
      ['read', false],
      ['resource:wiki/*', false],
      ['prompt:wiki/*', false],
    ])('say with %s whether a skill is allowed', (entry, isAllowed) => {
      const skill = { server: 'wiki', name: 'docs/release' }
      expect(rights([{ allow: [entry] }]).skill(skill).isAllowed).toBe(isAllowed)
      const taken = rights([{ allow: ['*'] }, { deny: [entry] }])
      expect(taken.skill(skill).isAllowed).toBe(!isAllowed)
    })

    it('cannot be regained by another spelling', () => {
      const given = rights([{ allow: ['*'] }, { deny: ['resource:wiki/file:///etc/*'] }])
      const spellings = [
        'file:///docs/../etc/x',
        'file:///%65tc/x',
        'file:///%65tc/x?%',
        'file:///%2565tc/x',
        'file:///etc%2fx#%ff',
        'FILE:///etc/x',
      ]
      for (const spelling of spellings) {
        expect(given.resource({ server: 'wiki', uri: spelling }).isAllowed).toBe(false)
      }
    })

    it('are never allowed by a rule with arguments', () => {
      const given = rights([{ allow: ['wiki/*'], arguments: { a: ['b'] } }])
      expect(given.resource({ server: 'wiki', uri }).isAllowed).toBe(false)
      expect(given.prompt({ server: 'wiki', name: 'x' }).isAllowed).toBe(false)
      expect(given.server('wiki').isAllowed).toBe(false)
    })
  })

  describe('to the texts of a server', () => {
    it.each<[string, AccessRuleConfig[], boolean]>([
      ['everything is allowed', [{ allow: ['wiki/*'] }], true],
      ['only some tools are allowed', [{ allow: ['wiki/get_*', 'read'] }], false],
      ['a tool is denied', [{ allow: ['*'] }, { deny: ['wiki/delete'] }], false],
      ['an effect is denied', [{ allow: ['*'] }, { deny: ['destructive'] }], false],
      ['a resource is denied', [{ allow: ['*'] }, { deny: ['resource:wiki/x:*'] }], false],
      ['a tool of another server is denied', [{ allow: ['*'] }, { deny: ['bank/*'] }], true],
    ])('if %s: %#', (_, rules, isAllowed) => {
      expect(rights(rules).server('wiki').isAllowed).toBe(isAllowed)
      expect(rights(rules).reaches('wiki')).toBe(true)
    })

    it('do not exist for a server of which nothing is allowed', () => {
      expect(rights([{ allow: ['github/*'] }]).reaches('wiki')).toBe(false)
      expect(rights([{ allow: ['read'] }, { deny: ['wiki/*'] }]).reaches('wiki')).toBe(false)
    })
  })

  describe('to call a tool', () => {
    const rules = [{ allow: ['jira/create'], arguments: { 'issue.project': ['WEB', 'APP-*', 5] } }]
    const inputSchema = {
      properties: { issue: { properties: { project: {}, PROJECT: {} } } },
    }
    it.each<[string, Record<string, unknown>, boolean]>([
      ['a permitted value', { issue: { project: 'WEB' } }, true],
      ['a pattern', { issue: { project: 'APP-1' } }, true],
      ['a number', { issue: { project: 5 } }, true],
      ['a number as text', { issue: { project: '5' } }, false],
      ['another value', { issue: { project: 'HR' } }, false],
      ['another case', { issue: { project: 'web' } }, false],
      ['no value', {}, false],
      ['null', { issue: { project: null } }, false],
      ['an inherited value', Object.create({ issue: { project: 'WEB' } }), false],
      ['JSON text', { issue: '{"project":"WEB"}' }, false],
      ['a list of permitted values', { issue: { project: ['WEB', 'APP-2'] } }, false],
      ['a list of one permitted number', { issue: { project: [5] } }, false],
      ['an empty list', { issue: { project: [] } }, false],
      ['a list of objects', { issue: [{ project: 'WEB' }, { project: 5 }] }, true],
      ['a list with another object', { issue: [{ project: 'WEB' }, { project: 'HR' }] }, false],
      ['an empty list of objects', { issue: [] }, false],
      ['a list with an incomplete object', { issue: [{ project: 'WEB' }, {}] }, false],
      ['an object', { issue: { project: { key: 'WEB' } } }, false],
      ['a name with a dot that the schema does not have', { 'issue.project': 'WEB' }, false],
      ['the same name elsewhere', { issue: {}, 'issue.project': 'WEB' }, false],
      ['both ways to write it', { 'issue.project': 'WEB', issue: { project: 'HR' } }, false],
      [
        'another value in a name with a dot',
        { 'issue.project': 'HR', issue: { project: 5 } },
        false,
      ],
      ['another case next to it', { issue: { project: 'WEB', Project: 'HR' } }, false],
      [
        'another case of the object',
        { issue: { project: 'WEB' }, ISSUE: { project: 'HR' } },
        false,
      ],
      ['another letter s', { issue: { project: 'WEB' }, 'i\u017fsue': { project: 'HR' } }, false],
      ['i without a dot', { issue: { project: 'WEB' }, '\u0131ssue': { project: 'HR' } }, false],
      ['I with a dot', { issue: { project: 'WEB' }, '\u0130SSUE': { project: 'HR' } }, false],
      ['a space at its end', { issue: { project: 'WEB', 'project ': 'HR' } }, false],
      ['a soft hyphen', { issue: { project: 'WEB', 'pro\u00adject': 'HR' } }, false],
      ['a property that the schema has', { issue: { project: 'WEB', PROJECT: 'HR' } }, true],
      ['a prototype', JSON.parse('{"__proto__":{"issue":{"project":"WEB"}}}'), false],
      ['very many objects', { issue: Array(200_000).fill({ project: 'WEB' }) }, true],
    ])('depend on its arguments: %s', (_, args, isAllowed) => {
      const given = rights(rules)
      const create = { ...tool('jira/create'), inputSchema }
      expect(given.tool(create).isAllowed).toBe(true)
      expect(given.call(create, args).isAllowed).toBe(isAllowed)
    })

    it('may have names with dots if the schema has them', () => {
      const properties = {
        'issue.project': {},
        items: { items: { properties: { 'issue.project': {} } } },
      }
      const create = { ...tool('jira/create'), inputSchema: { properties } }
      const isAllowed = (args: Record<string, unknown>, path = 'issue.project') =>
        rights([{ allow: ['jira/create'], arguments: { [path]: ['WEB'] } }]).call(create, args)
          .isAllowed
      expect(isAllowed({ 'issue.project': 'WEB' })).toBe(true)
      expect(isAllowed({ 'issue.project': 'WEB', issue: { project: 'HR' } })).toBe(false)
      expect(isAllowed({ items: [{ 'issue.project': 'WEB' }] }, 'items.issue.project')).toBe(true)
      expect(isAllowed({ other: [{ 'issue.project': 'WEB' }] }, 'other.issue.project')).toBe(false)
    })

    it('need one rule whose conditions are all met', () => {
      const given = rights([
        { allow: ['jira/create'], arguments: { project: ['WEB'], type: ['bug'] } },
        { allow: ['jira/create'], arguments: { project: ['APP'] } },
      ])
      const isAllowed = (args: Record<string, unknown>) =>
        given.call(tool('jira/create'), args).isAllowed
      expect(isAllowed({ project: 'WEB', type: 'bug' })).toBe(true)
      expect(isAllowed({ project: 'WEB', type: 'task' })).toBe(false)
      expect(isAllowed({ project: 'APP', type: 'task' })).toBe(true)
      expect(given.call(tool('jira/create'), {}).reason).toBe(
        'toolsearch.access.rules[0].arguments',
      )
    })

    it('are not restricted if another rule allows every call', () => {
      const given = rights([...rules, { allow: ['jira/*'] }])
      expect(given.call(tool('jira/create'), {}).isAllowed).toBe(true)
    })
  })

  describe('in a profile', () => {
    const profiles = {
      support: { servers: ['wiki', 'jira'], deny: ['jira/delete'], readOnly: true },
    }

    it('are an intersection', () => {
      const given = rights([{ allow: ['jira/*', 'bank/*'] }], { profile: 'support', profiles })
      expect(given.tool(tool('jira/get', read)).isAllowed).toBe(true)
      expect(given.tool(tool('jira/create')).reason).toBe('profile "support": readOnly')
      expect(given.tool(tool('jira/delete', read)).reason).toBe('profile "support": deny[0]')
      expect(given.tool(tool('bank/get', read)).reason).toBe('profile "support": servers')
      expect(given.tool(tool('wiki/get', read)).isAllowed).toBe(false)
      expect(given.resource({ server: 'jira', uri: 'a:b' }).isAllowed).toBe(true)
      expect(given.resource({ server: 'bank', uri: 'a:b' }).isAllowed).toBe(false)
    })

    it('are those of the profile if there are no rules', () => {
      const given = rights(undefined, { profile: 'support', profiles })
      expect(given.tool(tool('wiki/get', read))).toEqual({
        isAllowed: true,
        reason: 'profile "support"',
      })
      expect(given.server('wiki').isAllowed).toBe(false)
      expect(given.reaches('bank')).toBe(false)
    })

    it.each(['other', 'toString', '__proto__'])(
      'do not exist if the profile does not exist: %s',
      (profile) => {
        const given = rights(undefined, { profile, profiles })
        expect(given.tool(tool('wiki/get', read)).isAllowed).toBe(false)
        expect(given.reaches('wiki')).toBe(false)
      },
    )
  })

  describe('of a limited credential', () => {
    it('are an intersection', () => {
      const who = { ...ann, scope: { allow: ['github/get_*', 'read'] } }
      const given = rights([{ allow: ['github/*'] }], { who })
      expect(given.tool(tool('github/get_x')).isAllowed).toBe(true)
      expect(given.tool(tool('github/delete')).reason).toBe('scope of the credential: allow')
      expect(given.tool(tool('files/x', read)).isAllowed).toBe(false)
    })

    it('hold in its profiles only', () => {
      const who = { ...ann, scope: { profiles: ['support'] } }
      const profiles = { support: {}, sales: {} }
      const isAllowed = (profile?: string) =>
        rights(undefined, { who, profiles, ...(profile && { profile }) }).tool(tool('a/x'))
          .isAllowed
      expect([isAllowed('support'), isAllowed('sales'), isAllowed()]).toEqual([true, false, false])
    })

    it('are empty if it permits nothing', () => {
      const who = { ...ann, scope: { allow: [] } }
      expect(rights(undefined, { who }).tool(tool('a/x')).isAllowed).toBe(false)
    })
  })

  it('are shared by everybody to whom the same rules apply, and change with the rules', () => {
    const rules = [
      { allow: ['*'], groups: ['a', 'b'] },
      { deny: ['x'], groups: ['c'] },
    ]
    const { rightsOf } = createAccess({ access: { rules, cedar: [] }, profiles: {} })
    const of = (...groups: string[]) => rightsOf({ person: person(groups.join(), { groups }) })
    expect(of('a', 'other')).toBe(of('b'))
    expect(of('a').key).not.toBe(of('a', 'c').key)
    const changed = createAccess({
      access: { rules: [{ allow: ['y'], groups: ['a'] }, rules[1]!], cedar: [] },
      profiles: {},
    })
    expect(changed.rightsOf({ person: person('x', { groups: ['a'] }) }).key).not.toBe(of('a').key)
  })
})
