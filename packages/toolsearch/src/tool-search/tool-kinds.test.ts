import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { toolKinds } from './tool-kinds.ts'

const tools = (source: string, ...names: string[]) =>
  names.map((name) => readDefinition({ name, source }))

describe('toolKinds', () => {
  it('counts the tools of each server and plugin, most first', () => {
    const all = [
      ...tools('mcp:mail', 'a'),
      ...tools('mcp:git', 'b', 'c'),
      ...tools('plugin:art', 'd'),
      ...tools('app', 'e'),
    ]
    expect(Object.entries(toolKinds(all))).toEqual([
      ['git', 2],
      ['art', 1],
      ['mail', 1],
    ])
  })

  it('names at most 12', () => {
    const all = Array.from({ length: 40 }, (_, at) => tools(`mcp:s${at}`, `t${at}`)).flat()
    expect(Object.keys(toolKinds(all))).toHaveLength(12)
  })

  it('counts the most common subjects if all tools have the same source', () => {
    const all = tools(
      'mcp:x',
      'create_issue',
      'list_issues',
      'get_user',
      'delete_user',
      'user_ping',
    )
    expect(Object.entries(toolKinds(all))).toEqual([
      ['user', 3],
      ['issue', 2],
    ])
  })

  it('is empty if nothing is common, and without tools', () => {
    expect(toolKinds(tools('mcp:x', 'get_issue', 'get_user'))).toEqual({})
    expect(toolKinds([])).toEqual({})
  })
})
