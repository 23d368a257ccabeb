import { describe, expect, it } from 'vitest'
import { createToolSearch, type Session, type ToolDefinition, type Turn, unified } from './index.ts'
import { allPresets } from './presets/all-presets.fixtures.ts'

const log: ToolDefinition = {
  name: 'git_log',
  description: 'Shows the history of a branch',
  inputSchema: { type: 'object', properties: { branch: { type: 'string' } }, required: ['branch'] },
}
const tag: ToolDefinition = { name: 'git_tag', description: 'Marks a commit with a name' }
const mail: ToolDefinition = { name: 'mail_send', description: 'Sends a letter to somebody' }
const release: ToolDefinition = {
  name: 'publish-release',
  description: 'How to publish a new version of the product',
  skill: {
    instructions: '# Publish\n\n1. Read git_log.\n2. Call git_tag.',
    tools: ['git_log', 'git_tag', 'no_such_tool'],
  },
}
const tools = [log, tag, mail, release]
const always = { activation: 'always' } as const

interface Answer {
  readonly message: string
  readonly skills: { readonly instructions?: string; readonly cut?: string }[]
  readonly missing: unknown[]
}

const names = (turn: Turn) => turn.tools.map(({ name }) => name)

async function search(session: Session, query: string) {
  const { answer, outcome } = await session.search({ query })
  return { outcome, data: answer.data as Answer, text: answer.text }
}

describe('a skill', () => {
  it('is found like a tool, and the tools it names are loaded', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    const { data, outcome } = await search(session, 'publish a new version')
    expect(outcome.hits.map(({ tool, status }) => [tool.name, status])).toEqual([
      ['publish-release', 'skill'],
      ['git_log', 'loaded'],
      ['git_tag', 'loaded'],
    ])
    expect(data.skills).toEqual([
      {
        name: 'publish-release',
        description: 'How to publish a new version of the product',
        tools: ['git_log', 'git_tag'],
        instructions: '# Publish\n\n1. Read git_log.\n2. Call git_tag.',
      },
    ])
    expect(data.message).toBe(
      '1 skill found: instructions for a task, not tools. 2 tools loaded. You can call them now.',
    )
    expect(names(await session.turn())).toEqual(['tool_search', 'git_log', 'git_tag'])
    expect(session.loaded).toEqual(['git_log', 'git_tag'])
  })

  it('is never sent as a tool, and is not one of the tools of a session', async () => {
    for (const activation of ['always', 'never', { toolCount: 100 }] as const) {
      const session = await createToolSearch({ tools, activation }).session('a')
      for (const options of [{}, { canSearch: false }, { appendOnly: {} }]) {
        const turn = await session.turn(options)
        expect(names(turn)).not.toContain('publish-release')
        expect(turn.deferred.map(({ name }) => name)).not.toContain('publish-release')
      }
      expect(session.tools().map(({ name }) => name)).toEqual(['git_log', 'git_tag', 'mail_send'])
      expect(session.tool('publish-release')).toBeUndefined()
    }
  })

  it('keeps the search tool in requests that defer nothing else', async () => {
    const session = await createToolSearch({ tools }).session('a')
    const turn = await session.turn()
    expect(names(turn)).toEqual(['tool_search', 'git_log', 'git_tag', 'mail_send'])
    expect(turn.system).toContain('- publish-release (skill)')
  })

  it('leaves the beginning of later requests as it was', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    const first = await session.turn({ appendOnly: {} })
    await search(session, 'select:publish-release')
    toolSearch.catalogue.add({
      name: 'late',
      description: 'Late skill',
      skill: { instructions: 'Wait.' },
    })
    const second = await session.turn({ appendOnly: {} })
    expect(second.system).toBe(first.system)
    expect(second.tools.slice(0, first.tools.length)).toEqual(first.tools)
    expect(second.notice).toContain('- late (skill)')
    toolSearch.catalogue.remove('late')
    expect((await session.turn({ appendOnly: {} })).notice).toContain(
      'No longer available:\n- late',
    )
  })

  it('is read with select, also if its instructions are long', async () => {
    const long = { ...release, skill: { instructions: 'Do this first. '.repeat(500) } }
    const session = await createToolSearch({ tools: [log, tag, mail, long] }).session('a')
    const found = await search(session, 'publish a new version')
    expect(found.data.skills[0]?.instructions).toBeUndefined()
    expect(found.data.message).toContain(
      'Read it with tool_search and "select:publish-release" first.',
    )
    const read = await search(session, 'select:publish-release')
    expect(read.data.skills[0]?.instructions).toBe(long.skill.instructions)
  })

  it('is cut to the budget of the result', async () => {
    const instructions = 'Do this first. '.repeat(10_000)
    const session = await createToolSearch({
      tools: [log, { ...release, skill: { instructions } }],
    }).session('a')
    const { data } = await search(session, 'select:publish-release')
    const { instructions: part = '', cut } = data.skills[0]!
    expect(instructions.startsWith(part)).toBe(true)
    expect(part.length).toBeGreaterThan(10_000)
    expect(cut).toBe(`${part.length} of ${instructions.length} characters`)
  })

  it('answers a call to it with how to read it', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    const result = await session.answer({ name: 'publish-release', arguments: {} })
    expect(result).toMatchObject({ kind: 'answered', reason: 'unknown-tool', isError: true })
    expect((result as { text: string }).text).toContain('is a skill, which cannot be called.')
  })

  it('is visible only to callers who may see it, and so are its tools', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const visible = ['git_tag', 'mail_send', 'publish-release']
    const some = await toolSearch.session('some', { visible })
    const found = await search(some, 'publish a new version')
    expect(found.outcome.hits.map(({ tool }) => tool.name)).toEqual(['publish-release', 'git_tag'])
    expect(found.text).not.toContain('"git_log"')

    const none = await toolSearch.session('none', { visible: ['git_log', 'mail_send'] })
    const turn = await none.turn()
    const missed = await search(none, 'select:publish-release')
    expect(missed.outcome.hits).toEqual([])
    expect(missed.data.missing[0]).toEqual({ name: 'publish-release' })
    expect(turn.system).not.toContain('publish-release')
  })

  it('loads its tools when it is loaded without a search', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    expect(await session.load(['publish-release'])).toEqual(['git_log', 'git_tag'])
  })

  it('can belong to one conversation, and survives tools that are passed with a request', async () => {
    const toolSearch = createToolSearch({ tools: [log, tag, mail], ...always })
    const session = await toolSearch.session('a', { tools: [release] })
    expect((await search(session, 'publish a new version')).data.skills).toHaveLength(1)
    const given = session.withTools([tag])
    expect(
      (await search(given, 'publish a new version')).outcome.hits.map(({ tool }) => tool.name),
    ).toEqual(['publish-release', 'git_tag'])
    expect(toolSearch.search('publish a new version').hits[0]?.tool.name).not.toBe(
      'publish-release',
    )
  })

  it.each(allPresets.filter((preset) => preset !== unified))(
    'does not exist for preset $preset, which models a system without skills',
    async (preset) => {
      const [withSkill, without] = [tools, [log, tag, mail]].map((each) =>
        createToolSearch({ tools: each, preset }),
      )
      for (const query of ['publish a new version', 'publish-release', 'select:publish-release']) {
        expect(withSkill!.search(query)).toEqual(without!.search(query))
        const answers = await Promise.all(
          [withSkill!, without!].map(async (toolSearch) => {
            const session = await toolSearch.session('a')
            const turn = await session.turn()
            const { answer } = await session.search({ query })
            return { answer, names: names(turn), system: turn.system }
          }),
        )
        expect(answers[0]).toEqual(answers[1])
      }
    },
  )

  it('is rejected with a reason if it is invalid', () => {
    const add = (fields: object) =>
      createToolSearch({ tools: [{ name: 'a', ...fields } as ToolDefinition] })
    expect(() => add({ skill: 'Do it' })).toThrow('skill')
    expect(() => add({ skill: { instructions: 1 } })).toThrow('skill.instructions')
    expect(() => add({ skill: { instructions: 'Do it', tools: 'a' } })).toThrow('skill.tools')
    const skill = { instructions: 'Do it' }
    expect(() => add({ skill, execute: () => '' })).toThrow('cannot be called')
    expect(() => add({ skill: {} })).toThrow('skill.instructions is missing')
    expect(() => add({ skill: { instructons: 'Do it' } })).toThrow('did you mean "instructions"?')
    expect(() => add({ skill: { ...skill, tool: ['b'] } })).toThrow('did you mean "tools"?')
    expect(() => add({ skill: { ...skill, prompt: '' } })).toThrow('use instructions and tools')
    expect(() => add({ skil: skill })).toThrow('did you mean "skill"?')
  })

  it('is not read again and again if its instructions are empty', async () => {
    const empty = { ...release, skill: { instructions: '' } }
    const session = await createToolSearch({ tools: [log, empty] }).session('a')
    const { data } = await search(session, 'select:publish-release')
    expect(data.message).toContain('"publish-release" has no instructions.')
    expect(data.message).not.toContain('select:')
  })
})
