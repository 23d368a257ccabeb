import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json-object.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { createLearntUris } from './learnt-uris.ts'
import { offeredNames } from './offered-names.ts'
import { createPrompts } from './prompts.ts'
import { createResources } from './resources.ts'
import { type FakeServer, upstreamSet } from './upstream-set.fixtures.ts'

function server(lists: Record<string, JsonObject>): FakeServer {
  return {
    tools: [],
    capabilities: { resources: {}, prompts: {} },
    answer(_, method) {
      const found = lists[method]
      if (!found) throw new Error(`Method not found: ${method}`)
      return found
    },
  }
}

const listing = (...uris: string[]) => ({
  'resources/list': { resources: uris.map((uri) => ({ uri, name: uri, _meta: { kept: 1 } })) },
})
const template = (uriTemplate: string) => ({
  'resources/templates/list': { resourceTemplates: [{ uriTemplate, name: 'all' }] },
})

describe('resources', () => {
  it('are listed in the order of the servers; the first server wins a duplicate URI', async () => {
    const servers = upstreamSet({
      one: server(listing('a://1', 'a://2')),
      broken: server({}),
      two: server(listing('a://2', 'a://3')),
    })
    const resources = createResources(servers)
    const listed = await resources.list()
    expect(listed.map(({ uri }) => uri)).toEqual(['a://1', 'a://2', 'a://3'])
    expect(listed[0]).toEqual({ uri: 'a://1', name: 'a://1', _meta: { kept: 1 } })
    expect((await resources.find('a://2'))?.name).toBe('one')
    expect((await resources.find('a://3'))?.name).toBe('two')
  })

  it('are read from a server at most ten times a second', async () => {
    const servers = upstreamSet({ one: server(listing('a://1')) })
    const resources = createResources(servers)
    const lists = await Promise.all(Array.from({ length: 500 }, resources.list))
    for (const list of lists) expect(list.map(({ uri }) => uri)).toEqual(['a://1'])
    // A second may have begun meanwhile.
    expect(servers.calls.length).toBeLessThanOrEqual(20)
  })

  it('are found even before a client has listed them', async () => {
    const resources = createResources(upstreamSet({ one: server(listing('a://1')) }))
    expect((await resources.find('a://1'))?.name).toBe('one')
  })

  it('are found by templates and by the URIs that results mention', async () => {
    const servers = upstreamSet({
      one: server(template('a://{id}/text')),
      two: server(template('b://{id}')),
    })
    const resources = createResources(servers)
    expect((await resources.find('b://7'))?.name).toBe('two')
    expect(await resources.find('c://7')).toBeUndefined()
    const link = { type: 'resource_link', uri: 'c://7', name: '7' }
    resources.learn('one', { content: [link, { type: 'resource', resource: { uri: 'd://1' } }] })
    resources.learn('two', { messages: [{ role: 'user', content: { ...link, uri: 'e://1' } }] })
    expect((await resources.find('c://7'))?.name).toBe('one')
    expect((await resources.find('d://1'))?.name).toBe('one')
    expect((await resources.find('e://1'))?.name).toBe('two')
  })

  it('are not learnt from results if they are very long', async () => {
    const resources = createResources(upstreamSet({ one: server(template('a://{id}')) }))
    const uri = `x://${'../a/'.repeat(5_000)}`
    resources.learn('one', { content: [{ type: 'resource_link', uri, name: 'x' }] })
    expect(await resources.find(uri)).toBeUndefined()
  })

  it('with the scheme skill: belong to servers without the skills extension, unless they name a server', async () => {
    const both = {
      ...listing('skill://pdf/SKILL.md', 'skill://wiki/a'),
      ...template('skill://{+path}'),
    }
    const wiki = server(both)
    const servers = upstreamSet({
      wiki: {
        ...wiki,
        capabilities: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } },
      },
      plain: server(both),
    })
    const resources = createResources(servers)
    expect((await resources.list()).map(({ uri }) => uri)).toEqual(['skill://pdf/SKILL.md'])
    expect((await resources.templates()).length).toBe(1)
    expect((await resources.find('skill://pdf/SKILL.md'))?.name).toBe('plain')
    expect((await resources.find('skill://pdf/references/more.md'))?.name).toBe('plain')
    const named = ['skill://wiki/a', 'SKILL://Wiki/a', 'skill:///wiki/a', 'skill:wiki/a']
    for (const uri of [...named, 'skill://%77iki/a', ' skill://plain/a', 'skill://local/a']) {
      expect([uri, await resources.find(uri)]).toEqual([uri, undefined])
    }
  })

  it('that a server mentioned to one person are not known to another', async () => {
    const resources = createResources(upstreamSet({ one: server({}) }))
    const link = { type: 'resource_link', uri: 'c://7', name: '7' }
    resources.learn('one', { content: [link] }, 'ann')
    expect((await resources.find('c://7', { person: 'ann' }))?.name).toBe('one')
    expect(await resources.find('c://7', { person: 'bob' })).toBeUndefined()
  })

  it('that several servers mention belong to the first of them in the configuration that may be read', async () => {
    const servers = upstreamSet({ one: server({}), two: server({}) })
    const learnt = createLearntUris()
    const of = (hidden: string) =>
      createResources(servers, {
        learnt,
        rights: { resource: ({ server }) => ({ isAllowed: server !== hidden, reason: '' }) },
      })
    const link = { content: [{ type: 'resource_link', uri: 'c://7', name: '7' }] }
    of('').learn('two', link)
    expect((await of('').find('c://7'))?.name).toBe('two')
    of('').learn('one', link)
    expect((await of('').find('c://7'))?.name).toBe('one')
    expect((await of('one').find('c://7'))?.name).toBe('two')
  })

  it('belong to the first server that lists them, has a template for them or mentioned them', async () => {
    const servers = upstreamSet({
      one: server(template('a://{id}')),
      two: server({ ...listing('a://7', 'b://7'), ...template('{+any}') }),
      three: server({ ...listing('b://7', 'c://7'), ...template('b://{id}') }),
    })
    const resources = createResources(servers)
    const link = (uri: string) => ({ content: [{ type: 'resource_link', uri, name: '7' }] })
    resources.learn('two', link('a://8'))
    resources.learn('one', link('b://8'))
    const owners = ['a://7', 'a://8', 'b://7', 'b://8', 'b://9', 'c://7', 'd://7']
    const found = await Promise.all(owners.map((uri) => resources.find(uri)))
    expect(found.map((owner) => owner?.name)).toEqual([
      'one',
      'one',
      'two',
      'one',
      'three',
      'three',
      'two',
    ])
  })

  it('that servers mentioned are known to other replicas', async () => {
    const servers = upstreamSet({ one: server({}), two: server({}) })
    const state = createMemoryState()
    const [here, there] = [1, 2].map(() =>
      createResources(servers, { learnt: createLearntUris(state) }),
    )
    const link = { content: [{ type: 'resource_link', uri: 'c://7', name: '7' }] }
    there!.learn('two', link)
    here!.learn('one', link)
    await expect.poll(async () => (await there!.find('c://7'))?.name).toBe('one')
    expect((await here!.find('c://7'))?.name).toBe('one')
  })

  it('that are hidden are never found, listed or in the way of others', async () => {
    const servers = upstreamSet({
      secret: server({ ...listing('a://1', 'a://2'), ...template('b://{id}') }),
      open: server({ ...listing('a://1'), ...template('b://{id}') }),
    })
    const reasons: string[] = []
    const resources = createResources(servers, {
      rights: { resource: ({ server }) => ({ isAllowed: server === 'open', reason: server }) },
    })
    const find = async (uri: string) =>
      (await resources.find(uri, { onDecision: (_, { reason }) => reasons.push(reason) }))?.name
    expect((await resources.list()).map(({ uri }) => uri)).toEqual(['a://1'])
    expect(await resources.templates()).toHaveLength(1)
    expect([await find('a://1'), await find('a://2'), await find('b://9')]).toEqual([
      'open',
      undefined,
      'open',
    ])
    resources.learn('secret', { content: [{ type: 'resource_link', uri: 'c://7' }] })
    expect(await find('c://7')).toBeUndefined()
    expect(reasons).toEqual(['open', 'secret', 'open'])
  })

  it('are listed once if the pages of a list repeat endlessly', async () => {
    const page = { resources: [{ uri: 'a://1', name: '1' }], nextCursor: 'again' }
    const resources = createResources(upstreamSet({ one: server({ 'resources/list': page }) }))
    expect(await resources.list()).toHaveLength(1)
  })
})

describe('prompts', () => {
  it('get the prefix of their server and keep all other fields', async () => {
    const prompt = { name: 'greet', arguments: [{ name: 'who' }], icons: [{ src: 'data:,' }] }
    const lists = { 'prompts/list': { prompts: [prompt, { name: 7 }, null] } }
    const prompts = createPrompts(upstreamSet({ one: server(lists), 'the two': server(lists) }), {
      nameOf: offeredNames({ servers: [] }).nameOf,
    })
    expect(await prompts.list()).toEqual([
      { ...prompt, name: 'one__greet' },
      { ...prompt, name: 'the_two__greet' },
    ])
    const found = await prompts.find('the_two__greet')
    expect([found?.upstream.name, found?.name]).toEqual(['the two', 'greet'])
    expect(await prompts.find('greet')).toBeUndefined()
  })
})
