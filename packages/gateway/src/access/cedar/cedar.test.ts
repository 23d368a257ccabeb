import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { formatProblem } from '../../config/config-problem.ts'
import type { AccessRuleConfig } from '../../config/team-config.ts'
import { type Person, personId } from '../../identity/person.ts'
import { createAccess } from '../create-access.ts'
import { type OpenAccess, openAccess } from '../open-access.ts'
import type { Rights } from '../rights.ts'
import { type CedarModule, loadCedarModule } from './cedar-module.ts'
import { createPolicies } from './create-policies.ts'
import { readPolicies } from './read-policies.ts'

let cedar: CedarModule
beforeAll(async () => {
  cedar = await loadCedarModule()
})

const ISSUER = 'https://login.example.com'
const read = { readOnlyHint: true }

function person(subject: string, ...groups: string[]): Person {
  const id = personId(ISSUER, subject)
  return { id, issuer: ISSUER, subject, groups, role: 'member' }
}

function tool(path: string, annotations = {}) {
  const [server = '', name = ''] = path.split('/')
  return { server, name, annotations }
}

let slots = 0
function policiesOf(text: string, engine = cedar) {
  const found = readPolicies(engine, [{ file: '/etc/team.cedar', text }])
  if ('problems' in found) throw new Error(found.problems.map(formatProblem).join('\n'))
  return createPolicies(engine, found.policies, `test ${++slots}`)
}

function rights(text: string, who: Person, rules: readonly AccessRuleConfig[] = []): Rights {
  const config = { access: { rules, cedar: ['team.cedar'] }, profiles: {} }
  return createAccess(config, { policies: policiesOf(text) }).rightsOf({ person: who })
}

function problemsOf(text: string): string[] {
  const found = readPolicies(cedar, [{ file: 'team.cedar', text }])
  return 'problems' in found ? found.problems.map(formatProblem) : []
}

const ENGINEERS = `
permit(principal in Group::"engineering", action, resource in Server::"github");
@id("no-destruction")
forbid(principal, action, resource is Tool) when { resource.effect == "destructive" };`

describe('Cedar policies', () => {
  it('decide by group, server and effect, and name the policy', () => {
    const { tool: decide } = rights(ENGINEERS, person('ann', 'engineering'))
    expect(decide(tool('github/get', read))).toEqual({
      isAllowed: true,
      reason: 'policy0 in team.cedar',
    })
    expect(decide(tool('github/delete'))).toEqual({
      isAllowed: false,
      reason: 'no-destruction in team.cedar',
    })
    expect(decide(tool('files/get', read)).reason).toBe('no Cedar policy permits it')
    expect(rights(ENGINEERS, person('bob')).tool(tool('github/get', read)).isAllowed).toBe(false)
  })

  it('decide about people, resources, prompts and servers', () => {
    const text = `
      permit(principal == Person::"${ISSUER} ann", action == Action::"read", resource in Server::"wiki");
      permit(principal, action == Action::"get", resource == Prompt::"wiki/summarize");`
    const ann = rights(text, person('ann'))
    expect(ann.resource({ server: 'wiki', uri: 'file:///x' }).isAllowed).toBe(true)
    expect(ann.prompt({ server: 'wiki', name: 'summarize' }).isAllowed).toBe(true)
    expect(ann.prompt({ server: 'wiki', name: 'other' }).isAllowed).toBe(false)
    expect(ann.tool(tool('wiki/x', read)).isAllowed).toBe(false)
    expect(ann.server('wiki').isAllowed).toBe(false)
    expect(ann.reaches('wiki')).toBe(true)
    expect(ann.reaches('bank')).toBe(false)
    const bob = rights(text, person('bob'))
    expect(bob.resource({ server: 'wiki', uri: 'file:///x' }).isAllowed).toBe(false)
  })

  it('decide about URIs in all their spellings', () => {
    const ann = rights(
      'permit(principal, action, resource is Resource) when { resource.uri like "file:///docs/*" };',
      person('ann'),
    )
    const isAllowed = (uri: string) => ann.resource({ server: 'wiki', uri }).isAllowed
    expect(isAllowed('file:///docs/a')).toBe(true)
    expect(isAllowed('file:///docs/../etc/x')).toBe(false)
    expect(isAllowed('file:///docs/%2e%2e/etc/x')).toBe(false)
  })

  it('show a tool if some call of it is permitted, and decide about arguments when it is called', () => {
    const text = `
      permit(principal, action, resource == Tool::"jira/create")
        when { resource.effect == "write" && context.arguments.project == "WEB" };
      forbid(principal, action, resource) when { context.arguments.urgent };`
    const ann = rights(text, person('ann'))
    const create = tool('jira/create', { destructiveHint: false })
    expect(ann.tool(create).isAllowed).toBe(true)
    expect(ann.tool(tool('jira/create')).isAllowed).toBe(false)
    expect(ann.tool(tool('jira/other', { destructiveHint: false })).isAllowed).toBe(false)
    const call = (args: Record<string, unknown>) => ann.call(create, args)
    expect(call({ project: 'WEB', urgent: false }).isAllowed).toBe(true)
    expect(call({ project: 'WEB', urgent: true }).reason).toBe('policy1 in team.cedar')
    expect(call({ project: 'HR', urgent: false }).isAllowed).toBe(false)
    // Cedar itself would ignore a policy that fails
    expect(call({ project: 'WEB' }).reason).toMatch(/^policy1 in team.cedar fails: /)
    expect(call({ project: 'WEB', urgent: null }).isAllowed).toBe(false)
  })

  it.each([
    ['an entity', { project: { __entity: { type: 'Group', id: 'admins' } } }],
    ['a function call', { project: { __extn: { fn: 'ip', arg: '127.0.0.1' } } }],
    ['a nested one', { project: 'WEB', more: [{ x: { __expr: 'principal' } }] }],
  ])('deny calls whose arguments look like %s of Cedar', (_, args) => {
    const ann = rights(
      'permit(principal, action, resource) when { context has arguments };',
      person('ann'),
    )
    expect(
      ann.call(tool('jira/create'), { project: 'WEB', count: 1.5, big: 1e300 }).isAllowed,
    ).toBe(true)
    expect(ann.call(tool('jira/create'), args).isAllowed).toBe(false)
  })

  it('and rules must both allow', () => {
    const rules = [{ allow: ['github/get', 'files/*'] }]
    const ann = rights(ENGINEERS, person('ann', 'engineering'), rules)
    expect(ann.tool(tool('github/get', read)).isAllowed).toBe(true)
    expect(ann.tool(tool('github/list', read)).isAllowed).toBe(false)
    expect(ann.tool(tool('files/get', read)).isAllowed).toBe(false)
  })

  it('give the texts of a server only to people whom nothing of it is forbidden', () => {
    const text = `permit(principal, action, resource);
      forbid(principal in Group::"contractors", action, resource == Tool::"github/delete");`
    expect(rights(text, person('ann')).server('github').isAllowed).toBe(true)
    const bob = rights(text, person('bob', 'contractors'))
    expect(bob.server('github').isAllowed).toBe(false)
    expect(bob.server('wiki').isAllowed).toBe(true)
  })

  it.each([
    ['a mistake in the syntax', 'permit(principal, action, resource)\nwhen { foo };'],
    ['an unknown entity type', '// é\npermit(principal in Team::"x", action, resource);'],
    ['an unknown action', 'permit(principal, action == Action::"delete", resource);'],
    ['a template', 'permit(principal == ?principal, action, resource);'],
  ])('report %s with its place and a fix', (_, text) => {
    expect(problemsOf(text)).toMatchSnapshot()
  })

  it('need few decisions for many people and tools', () => {
    const groups = Array.from({ length: 100 }, (_, at) => `g${at}`)
    const text = groups
      .map(
        (each, at) =>
          `permit(principal in Group::"${each}", action, resource in Server::"s${at}");`,
      )
      .join('\n')
    let asked = 0
    const counting: CedarModule = {
      ...cedar,
      statefulIsAuthorized(request) {
        asked++
        return cedar.statefulIsAuthorized(request)
      },
    }
    const policies = policiesOf(
      `${text}\nforbid(principal, action, resource is Tool) when { resource.effect == "destructive" };`,
      counting,
    )
    const keys = new Set<string>()
    for (let at = 0; at < 2_000; at++) {
      keys.add(policies.keyOf(person(`p${at}`, groups[at % 100]!, 'everybody', `team${at}`)))
    }
    expect(keys.size).toBe(100)
    const { tool: decide } = policies.deciderFor(person('ann', 'g1'))
    for (let at = 0; at < 1_000; at++) decide(tool(`s${at % 100}/get_${at}`, read))
    expect(asked).toBe(100)
  })

  it('decide for more groups of people than the engine keeps at a time', () => {
    const groups = Array.from({ length: 260 }, (_, at) => `g${at}`)
    const policies = policiesOf(
      groups
        .map(
          (each, at) =>
            `permit(principal in Group::"${each}", action, resource in Server::"s${at}") when { resource has uri };`,
        )
        .join('\n'),
    )
    const deciders = groups.map((each) => policies.deciderFor(person(each, each)))
    for (const name of ['a', 'b']) {
      for (const [at, decider] of deciders.entries()) {
        const isAllowed = (server: number) =>
          decider.resource({ server: `s${server}`, uri: name }).isAllowed
        expect([isAllowed(at), isAllowed((at + 1) % 260)]).toEqual([true, false])
      }
    }
  })
})

describe('policy files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolsearch-cedar-'))
  const file = join(folder, 'team.cedar')
  const config = { access: { rules: [], cedar: [file] }, profiles: {} }
  let access: OpenAccess | undefined
  afterEach(() => {
    access?.close()
    rmSync(file, { force: true })
  })

  const isAllowed = () =>
    access!.rightsOf({ person: person('ann') }).tool(tool('github/get', read)).isAllowed

  function write(text: string): void {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }

  it('apply when they change, and the last valid ones stay in effect', async () => {
    write('permit(principal, action, resource);')
    const problems: string[][] = []
    access = await openAccess(config, {
      onProblems: (found) => void problems.push(found.map(formatProblem)),
    })
    let changes = 0
    access.onChanged(() => changes++)
    const before = access.rightsOf({ person: person('ann') }).key
    expect(isAllowed()).toBe(true)

    write('permit(principal, action, resource in Server::"wiki");')
    await expect.poll(isAllowed).toBe(false)
    expect(access.rightsOf({ person: person('ann') }).key).not.toBe(before)
    expect(changes).toBe(1)

    write('permit(principal, action, resource')
    await expect.poll(() => problems.length).toBe(1)
    expect(problems[0]![0]).toMatch(/team\.cedar:1:\d+ /)
    expect(isAllowed()).toBe(false)
    expect(access.problems).toHaveLength(1)

    write('permit(principal, action, resource);')
    await expect.poll(isAllowed).toBe(true)
    expect(problems.at(-1)).toEqual([])
  })

  it('that cannot be read at the start permit nothing until they can', async () => {
    access = await openAccess(config)
    expect(access.problems.map(({ message }) => message)).toEqual(['The file does not exist.'])
    expect(isAllowed()).toBe(false)
    write('permit(principal, action, resource);')
    await expect.poll(isAllowed).toBe(true)
  })

  it('are opened and closed by new settings, together with the rules', async () => {
    write('permit(principal, action, resource);')
    access = await openAccess({ profiles: {} })
    expect(isAllowed()).toBe(true)
    await access.configure({ access: { rules: [], cedar: [] }, profiles: {} })
    expect(isAllowed()).toBe(false)
    await access.configure(config)
    expect(isAllowed()).toBe(true)
    await access.configure({ access: { rules: [{ deny: ['get'] }], cedar: [file] }, profiles: {} })
    expect(isAllowed()).toBe(false)
    await access.configure({ profiles: {} })
    expect(isAllowed()).toBe(true)
  })
})
