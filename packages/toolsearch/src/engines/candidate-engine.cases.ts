import { describe, expect, it } from 'vitest'
import { DuplicateToolError, InvalidToolError } from '../catalogue/catalogue-errors.ts'
import type { ToolDefinition } from '../catalogue/tool.ts'
import { InvalidOptionError } from '../options/invalid-option-error.ts'
import { nameKey } from '../tool-search/name-key.ts'
import type { CandidateEngine, CandidatesRequest, EngineScope } from './candidate-engine.ts'

const ALL: EngineScope = {}

const issues: ToolDefinition[] = [
  {
    name: 'mcp__github__create_issue',
    description: 'Create an issue in a repository.',
    source: 'mcp:github',
    inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
  },
  { name: 'mcp__github__close_issue', description: 'Close an issue.', source: 'mcp:github' },
  { name: 'mcp__jira__create_issue', description: 'Create a ticket.', source: 'mcp:jira' },
  { name: 'send_email', description: 'Send an email to a customer.' },
]

/** Texts that must only ever be texts. */
const HOSTILE = [
  `'; DROP TABLE toolsearch_tools; --`,
  `x' OR '1'='1`,
  `"; SELECT pg_sleep(10); --`,
  String.raw`\'; DELETE FROM toolsearch_terms; --`,
  `$1 $2 %s {0} \${1}`,
  `a & b | !c <-> d:*`,
  `%_\\`,
]

/** The contract every engine keeps. The test file of each engine starts by calling this. */
export function describeCandidateEngine(create: () => Promise<CandidateEngine>): void {
  describe('candidate engine contract', () => {
    it('adds, replaces and removes tools, and counts what changed', async () => {
      const engine = await create()
      expect(await engine.put(issues)).toEqual({ added: 4, replaced: 0, removed: 0 })
      const changed = { name: 'send_email', description: 'Send a letter.' }
      expect(await engine.put([...issues.slice(0, 3), changed])).toEqual({
        added: 0,
        replaced: 1,
        removed: 0,
      })
      const [tool] = await engine.get(['send_email'], ALL)
      expect(tool?.description).toBe('Send a letter.')
      expect(await engine.remove(['send_email', 'no_such_tool'])).toEqual({
        added: 0,
        replaced: 0,
        removed: 1,
      })
      expect(await engine.get(['send_email'], ALL)).toEqual([])
      expect(await engine.count(ALL)).toBe(3)
    })

    it('starts empty', async () => {
      const engine = await create()
      expect(await engine.count(ALL)).toBe(0)
      expect(await engine.get(['a'], ALL)).toEqual([])
      expect(await engine.candidates(requestFor('issue'))).toEqual([])
      const facts = await engine.terms(
        { terms: ['a'], prefixes: ['ab'], misspelled: ['abcd'] },
        ALL,
      )
      expect(facts.tools).toBe(0)
    })

    it('keeps every field that is plain data', async () => {
      const engine = await create()
      const tool: ToolDefinition = {
        name: 'näme 工具 🙂',
        title: 'A title',
        description: 'NUL \0, half a pair \ud800, "quotes", \\backslashes\\ and ünïcode',
        inputSchema: {
          type: 'object',
          properties: { 'a\u0000b': { type: 'string', description: '\udfff' } },
        },
        searchHint: 'hint',
        tags: ['one', 'two'],
        annotations: { readOnlyHint: true },
        metadata: { nested: { list: [1, null, 'x'] } },
        source: 'plugin:tools',
      }
      await engine.put([{ ...tool, execute: () => 'ran' }])
      const [stored] = await engine.get([tool.name], ALL)
      expect(stored).toMatchObject(tool)
      expect(stored?.execute).toBeUndefined()
    })

    it('rejects names that no database can keep, and invalid definitions', async () => {
      const engine = await create()
      for (const name of ['a\0b', 'a\ud800']) {
        await expect(engine.put([{ name }])).rejects.toThrow(InvalidToolError)
      }
      await expect(engine.put([{ name: '' }])).rejects.toThrow(InvalidToolError)
      await expect(engine.sync('' as 'builtin', [])).rejects.toThrow(InvalidOptionError)
      await expect(engine.remove('a' as never)).rejects.toThrow(InvalidOptionError)
      expect(await engine.count(ALL)).toBe(0)
    })

    it('makes the tools of a source equal to a list', async () => {
      const engine = await create()
      await engine.put(issues)
      const change = await engine.sync('mcp:github', [
        { ...issues[0]!, description: 'Open an issue.' },
        { name: 'mcp__github__list_issues' },
      ])
      expect(change).toEqual({ added: 1, replaced: 1, removed: 1 })
      expect(await namesIn(engine, { sources: ['mcp:github'] })).toEqual([
        'mcp__github__create_issue',
        'mcp__github__list_issues',
      ])
      expect(await engine.sync('mcp:github', [])).toEqual({ added: 0, replaced: 0, removed: 2 })
      expect(await engine.count(ALL)).toBe(2)
    })

    it('refuses the name of another source, and changes nothing then', async () => {
      const engine = await create()
      await engine.put(issues)
      const list = [{ name: 'new_tool' }, { name: 'send_email' }]
      await expect(engine.sync('mcp:mail', list)).rejects.toThrow(DuplicateToolError)
      await expect(engine.sync('mcp:mail', [{ name: 'a' }, { name: 'a' }])).rejects.toThrow(
        DuplicateToolError,
      )
      expect(await engine.count(ALL)).toBe(4)
    })

    it('returns, counts and names only what is in the scope', async () => {
      const engine = await create()
      await engine.put(issues)
      const names = issues.map(({ name }) => name)
      const scopes: [EngineScope, string[]][] = [
        [{ sources: ['mcp:jira'] }, ['mcp__jira__create_issue']],
        [{ names: ['send_email', 'unknown'] }, ['send_email']],
        [{ names: ['send_email'], sources: ['mcp:jira'] }, []],
        [{ sources: [] }, []],
        [{ names: [] }, []],
      ]
      for (const [scope, expected] of scopes) {
        expect(await engine.count(scope)).toBe(expected.length)
        expect(sorted(await engine.get(names, scope))).toEqual(expected)
        const list = await engine.startingWith('', 10, scope)
        expect([sorted(list.tools), list.count]).toEqual([expected, expected.length])
        const found = [
          ...(await engine.spelled(['createissue', 'sendemail'], scope)),
          ...(await engine.similar('create_issues', 10, scope)),
          ...(await engine.candidates({ ...requestFor('create', 'issu', 'email'), scope })),
        ]
        for (const { name } of found) expect(expected).toContain(name)
      }
    })

    it('finds names by their key, with and without server', async () => {
      const engine = await create()
      await engine.put(issues)
      expect(sorted(await engine.spelled([nameKey('createIssue')], ALL))).toEqual([
        'mcp__github__create_issue',
        'mcp__jira__create_issue',
      ])
      expect(sorted(await engine.spelled([nameKey('SEND-EMAIL'), 'none'], ALL))).toEqual([
        'send_email',
      ])
    })

    it('lists the tools that start with a prefix', async () => {
      const engine = await create()
      await engine.put([...issues, { name: 'a%b' }, { name: 'a_b' }, { name: 'axb' }])
      const list = await engine.startingWith('mcp__', 2, ALL)
      expect(list.tools.map(({ name }) => name)).toEqual([
        'mcp__github__close_issue',
        'mcp__github__create_issue',
      ])
      expect(list.count).toBe(3)
      expect((await engine.startingWith('a%', 5, ALL)).tools.map(({ name }) => name)).toEqual([
        'a%b',
      ])
      expect((await engine.startingWith('a_', 5, ALL)).count).toBe(1)
    })

    it('finds similar names', async () => {
      const engine = await create()
      await engine.put(issues)
      expect(sorted(await engine.similar('send_emial', 5, ALL))).toContain('send_email')
      expect(sorted(await engine.similar('Close_Issues', 5, ALL))).toContain(
        'mcp__github__close_issue',
      )
    })

    it('knows how many tools contain a term, also after changes', async () => {
      const engine = await create()
      await engine.put(issues)
      expect(await frequencies(engine, 'issu', 'email', 'ticket')).toEqual([3, 1, 1])
      await engine.put([{ ...issues[2]!, description: 'Create something.' }])
      expect(await frequencies(engine, 'issu', 'email', 'ticket')).toEqual([3, 1, 0])
      await engine.remove(['send_email', 'mcp__github__close_issue'])
      expect(await frequencies(engine, 'issu', 'email', 'ticket')).toEqual([2, 0, 0])
      const facts = await engine.terms(
        { terms: [], prefixes: ['emai'], misspelled: ['email'] },
        ALL,
      )
      expect([facts.startingWith.get('emai'), facts.resembling.get('email')]).toEqual([[], []])
      expect(facts.tools).toBe(2)
    })

    it('knows nothing of the terms of tools outside of the scope', async () => {
      const engine = await create()
      // more than any list of similar terms has
      const hidden = Array.from({ length: 300 }, (_, at) => `emai${at} emalk${at}`)
      await engine.put([
        ...issues,
        { name: 'list_mails', description: 'Read emails.', source: 'mcp:mail' },
        { name: 'other', description: `emaix emaill ${hidden.join(' ')}`, source: 'mcp:hidden' },
      ])
      const request = {
        terms: ['issu', 'email', 'emaix'],
        prefixes: ['ema'],
        misspelled: ['emaik'],
      }
      for (const scope of [
        { sources: ['mcp:mail', 'mcp:jira'] },
        { names: ['list_mails', 'mcp__jira__create_issue'] },
      ]) {
        const facts = await engine.terms(request, scope)
        expect(facts.tools).toBe(2)
        expect(request.terms.map((term) => facts.frequencies.get(term) ?? 0)).toEqual([1, 1, 0])
        expect(facts.startingWith.get('ema')).toEqual(['email'])
        expect(facts.resembling.get('emaik')).toEqual(['email'])
      }
    })

    it('finds the terms that an unknown word may stand for', async () => {
      const engine = await create()
      await engine.put([...issues, { name: 'emails_sender' }, { name: 'repository_list' }])
      const { startingWith, resembling, frequencies } = await engine.terms(
        { terms: [], prefixes: ['repo', 'zzz'], misspelled: ['reposittori', 'qqqqqq'] },
        ALL,
      )
      expect(startingWith.get('repo')).toEqual(['repositori'])
      expect(startingWith.get('zzz')).toEqual([])
      expect(resembling.get('reposittori')).toEqual(['repositori'])
      expect(resembling.get('qqqqqq')).toEqual([])
      expect(frequencies.get('repositori')).toBe(2)
    })

    it('returns the best candidates first, and no more than the limit', async () => {
      const engine = await create()
      await engine.put(issues)
      const found = await engine.candidates(requestFor('create', 'issu', 'repositori'))
      expect(found[0]?.name).toBe('mcp__github__create_issue')
      expect(sorted(found)).not.toContain('send_email')
      const request = { ...requestFor('create', 'issu', 'repositori'), limit: 1 }
      expect(sorted(await engine.candidates(request))).toEqual(['mcp__github__create_issue'])
    })

    it('returns candidates with every required word', async () => {
      const engine = await create()
      await engine.put(issues)
      const find = async (...required: string[]) =>
        sorted(await engine.candidates({ ...requestFor('create', 'issu'), required }))
      expect(await find('ticket')).toEqual(['mcp__jira__create_issue'])
      expect(await find('hub', 'close')).toEqual(['mcp__github__close_issue'])
      expect(await find('nowhere')).toEqual([])
    })

    it.each(HOSTILE)('treats %j as a text', async (text) => {
      const engine = await create()
      await engine.put(issues)
      const tool = { name: text, description: text, tags: [text], source: `mcp:${text}` as const }
      await engine.put([tool])
      expect(await engine.get([text], { sources: [tool.source], names: [text] })).toHaveLength(1)
      expect(await engine.get([`${text}x`], ALL)).toEqual([])
      expect((await engine.startingWith(text, 5, ALL)).count).toBe(1)
      await engine.similar(text, 5, ALL)
      await engine.spelled([text], ALL)
      await engine.terms({ terms: [text], prefixes: [text], misspelled: [text] }, ALL)
      await engine.candidates({ ...requestFor(text, 'issu'), text, required: [text] })
      expect(await engine.sync(tool.source, [])).toEqual({ added: 0, replaced: 0, removed: 1 })
      expect(await engine.count(ALL)).toBe(4)
      expect(await frequencies(engine, 'issu')).toEqual([3])
    })

    it('ignores names and terms that cannot exist', async () => {
      const engine = await create()
      await engine.put(issues)
      for (const text of ['\0', 'a\0b', '\ud800', 'x'.repeat(100_000), '']) {
        expect(await engine.get([text], ALL)).toEqual([])
        expect(await engine.spelled([text], ALL)).toEqual([])
        await engine.similar(text.slice(0, 200), 5, { names: [text] })
        await engine.terms({ terms: [text], prefixes: [], misspelled: [] }, { names: [text] })
        expect(await engine.candidates(requestFor(text))).toEqual([])
        expect(await engine.remove([text])).toMatchObject({ removed: 0 })
      }
    })

    it('keeps its counts right while many add and remove at the same time', async () => {
      const engine = await create()
      const tools = (at: number) =>
        Array.from({ length: 20 }, (_, each) => ({ name: `shared_${each}`, tags: [`tag${at}`] }))
      await Promise.all(
        Array.from({ length: 8 }, async (_, at) => {
          await engine.put(tools(at))
          await engine.put([{ name: `own_${at}`, source: 'mcp:own' }])
          if (at % 2 === 0) await engine.remove([`own_${at}`])
          else await engine.sync(`mcp:s${at}`, [{ name: `synced_${at}` }])
        }),
      )
      expect(await engine.count(ALL)).toBe(20 + 4 + 4)
      expect(await engine.count({ sources: ['mcp:own'] })).toBe(4)
      expect(await frequencies(engine, 'share', 'own', 'sync')).toEqual([20, 4, 4])
      const tags = Array.from({ length: 8 }, (_, at) => `tag${at}`)
      const counts = await frequencies(engine, ...tags)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
    })
  })
}

function requestFor(...terms: string[]): CandidatesRequest {
  const words = terms.map((term) => ({ terms: [{ term, gain: 1, frequency: 1 }] }))
  return { text: terms.join(' '), words, tools: 4, required: [], limit: 10, scope: ALL }
}

async function frequencies(engine: CandidateEngine, ...terms: string[]): Promise<number[]> {
  const { frequencies } = await engine.terms({ terms, prefixes: [], misspelled: [] }, ALL)
  return terms.map((term) => frequencies.get(term) ?? 0)
}

async function namesIn(engine: CandidateEngine, scope: EngineScope): Promise<string[]> {
  return sorted((await engine.startingWith('', 100, scope)).tools)
}

function sorted(tools: readonly { readonly name: string }[]): string[] {
  return tools.map(({ name }) => name).sort()
}
