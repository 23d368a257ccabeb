import { describe, expect, it } from 'vitest'
import type { DeferredTool } from '../provider.ts'
import { namespacesOf } from './namespaces.ts'

const tool = (name: string, source = 'mcp:github'): DeferredTool => ({
  name,
  description: '',
  inputSchema: {},
  source: source as DeferredTool['source'],
})
const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool_${at}`))
const names = (tools: readonly DeferredTool[]) => namespacesOf(tools).map(({ name }) => name)

describe('namespacesOf', () => {
  it('creates one namespace per source, in catalogue order', () => {
    const namespaces = namespacesOf([tool('a'), tool('b', 'builtin'), tool('c')])
    expect(namespaces.map(({ name, tools }) => [name, tools.map((one) => one.name)])).toEqual([
      ['github', ['a', 'c']],
      ['builtin', ['b']],
    ])
    expect(namespaces[0]?.description).toBe('Tools of github: a, c.')
  })

  it('puts fewer than ten functions into a namespace', () => {
    const namespaces = namespacesOf(many(25))
    expect(namespaces.map(({ tools }) => tools.length)).toEqual([9, 9, 7])
    expect(names(many(25))).toEqual(['github', 'github__2', 'github__3'])
  })

  it('keeps every tool in its namespace when other tools arrive', () => {
    const before = namespacesOf(many(20))
    const after = namespacesOf([...many(20), tool('late'), tool('other', 'mcp:weather')])
    const places = (list: typeof before) =>
      new Map(list.flatMap(({ name, tools }) => tools.map((one) => [one.name, name] as const)))
    for (const [one, place] of places(before)) expect(places(after).get(one)).toBe(place)
  })

  it('creates unique names that the service accepts', () => {
    const sources = [
      'mcp:github',
      'plugin:github',
      'client:github',
      'mcp:git hub',
      'mcp:git/hub',
      'mcp:github__2',
      'mcp:',
      'mcp:日本語',
      `mcp:${'long'.repeat(30)}`,
      `mcp:${'long'.repeat(30)}er`,
    ]
    const all = names(
      sources.flatMap((source) =>
        Array.from({ length: 100 }, (_, at) => tool(`${source} ${at}`, source)),
      ),
    )
    expect(new Set(all).size).toBe(sources.length * 12)
    expect(all.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
  })
})
