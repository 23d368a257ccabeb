import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json-object.ts'
import { createPrompts } from './prompts.ts'
import { createResources } from './resources.ts'
import { toolName } from './tool-name.ts'
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
  it('are listed in the order of the servers, each address once and of the first', async () => {
    const servers = upstreamSet({
      one: server(listing('a://1', 'a://2')),
      broken: server({}),
      two: server(listing('a://2', 'a://3')),
    })
    const resources = createResources(servers)
    const listed = await resources.list()
    expect(listed.map(({ uri }) => uri)).toEqual(['a://1', 'a://2', 'a://3'])
    expect(listed[0]).toEqual({ uri: 'a://1', name: 'a://1', _meta: { kept: 1 } })
    expect((await resources.find('a://2')).name).toBe('one')
    expect((await resources.find('a://3')).name).toBe('two')
  })

  it('are found before anybody has listed them', async () => {
    const resources = createResources(upstreamSet({ one: server(listing('a://1')) }))
    expect((await resources.find('a://1')).name).toBe('one')
  })

  it("are found by templates and by what results name, and else are nobody's", async () => {
    const servers = upstreamSet({
      one: server(template('a://{id}/text')),
      two: server(template('b://{id}')),
    })
    const resources = createResources(servers)
    expect((await resources.find('b://7')).name).toBe('two')
    await expect(resources.find('c://7')).rejects.toThrow('c://7')
    const link = { type: 'resource_link', uri: 'c://7', name: '7' }
    resources.learn('one', { content: [link, { type: 'resource', resource: { uri: 'd://1' } }] })
    resources.learn('two', { messages: [{ role: 'user', content: { ...link, uri: 'e://1' } }] })
    expect((await resources.find('c://7')).name).toBe('one')
    expect((await resources.find('d://1')).name).toBe('one')
    expect((await resources.find('e://1')).name).toBe('two')
  })

  it('of a list that goes in circles are listed as far as it goes', async () => {
    const page = { resources: [{ uri: 'a://1', name: '1' }], nextCursor: 'again' }
    const resources = createResources(upstreamSet({ one: server({ 'resources/list': page }) }))
    expect(await resources.list()).toHaveLength(1)
  })
})

describe('prompts', () => {
  it('have their server before their name, and keep the rest', async () => {
    const prompt = { name: 'greet', arguments: [{ name: 'who' }], icons: [{ src: 'data:,' }] }
    const lists = { 'prompts/list': { prompts: [prompt, { name: 7 }, null] } }
    const prompts = createPrompts(
      upstreamSet({ one: server(lists), 'the two': server(lists) }),
      toolName,
    )
    expect(await prompts.list()).toEqual([
      { ...prompt, name: 'one__greet' },
      { ...prompt, name: 'the_two__greet' },
    ])
    const { upstream, name } = await prompts.find('the_two__greet')
    expect([upstream.name, name]).toEqual(['the two', 'greet'])
    await expect(prompts.find('greet')).rejects.toThrow('greet')
  })
})
