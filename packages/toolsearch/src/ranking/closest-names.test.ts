import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { compareNames } from '../catalogue/compare-names.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import { createBigramProfile } from '../words/bigram-profile.ts'
import { closestNames } from './closest-names.ts'

describe('closestNames', () => {
  it.each<[string, string[]]>([
    ['read_fil', ['read_file']],
    ['readfile', ['read_file']],
    ['READ_FILE', ['read_file']],
    ['read_file', ['read_file']],
    ['create_isue', ['mcp__github__create_issue']],
    ['github__create_issue', ['mcp__github__create_issue']],
    ['mcp__gitlab__create_issue', ['mcp__github__create_issue']],
    ['sendMesage', ['sendMessage']],
    ['天气预', ['天气预报']],
    ['bake_cake', []],
    ['delete_profile', []],
    ['x', []],
    ['', []],
    ['😀', []],
  ])('suggests names for %j', (name, names) => {
    const tools = [
      { name: 'read_file' },
      { name: 'sendMessage' },
      { name: 'mcp__github__create_issue' },
      { name: '天气预报' },
    ].map((definition) => readDefinition(definition))
    expect(closestNames(name, tools)).toEqual(names)
  })

  it('sorts by similarity, then by name', () => {
    const tools = ['read_files', 'read_fild', 'read_filb', 'read_filc', 'read_file_now'].map(
      (name) => readDefinition({ name }),
    )
    expect(closestNames('read_file', tools, 9)).toEqual([
      ...['read_files', 'read_filb', 'read_filc', 'read_fild', 'read_file_now'],
    ])
  })

  it('returns three names by default', () => {
    const tools = ['read_a', 'read_b', 'read_c', 'read_d', 'read_e'].map((name) =>
      readDefinition({ name }),
    )
    expect(closestNames('read_x', tools)).toEqual(['read_a', 'read_b', 'read_c'])
    expect(closestNames('read_x', tools, 1)).toEqual(['read_a'])
    expect(closestNames('read_x', tools, 0)).toEqual([])
  })

  it('prefers an MCP tool with exactly this name on its server to one with a similar name', () => {
    const tools = ['bread_file', 'mcp__fs__read_file'].map((name) => readDefinition({ name }))
    expect(closestNames('read_file', tools)).toEqual(['mcp__fs__read_file', 'bread_file'])
  })

  it('accepts any name and returns only existing names', async () => {
    const tools = ['read_file', 'mcp__a__', '__', '_', '😀', '(', '.*'].map((name) =>
      readDefinition({ name }),
    )
    const names = tools.map((tool) => tool.name)
    const units = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 50 })
      .map((list) => String.fromCharCode(...list))
    await checkProperty(
      fc.property(fc.oneof(units, fc.constantFrom(...names)), (name) => {
        const closest = closestNames(name, tools)
        expect(closest.length).toBeLessThanOrEqual(3)
        expect(names).toEqual(expect.arrayContaining(closest))
      }),
    )
  })

  it('finds the same names as a comparison with every name', async () => {
    const piece = fc.constantFrom(
      'read',
      'File',
      '_',
      '__',
      'mcp',
      'ü',
      '中',
      '😀',
      'K',
      'x',
      '-',
      'id',
    )
    const anyName = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))
    const tail = (name: string) =>
      name.slice(name.lastIndexOf('__') < 0 ? 0 : name.lastIndexOf('__') + 2)
    await checkProperty(
      fc.property(anyName, fc.uniqueArray(anyName, { maxLength: 20 }), (name, names) => {
        const similarity = (other: string) =>
          Math.max(
            createBigramProfile(name.toLowerCase()).dice(other.toLowerCase()),
            createBigramProfile(tail(name.toLowerCase())).dice(tail(other.toLowerCase())),
          )
        const expected = names
          .filter((other) => similarity(other) >= 0.45)
          .sort((a, b) => similarity(b) - similarity(a) || compareNames(a, b))
        const tools = names.map((other) => readDefinition({ name: other }))
        expect(closestNames(name, tools, 99)).toEqual(expected)
      }),
    )
  })

  it('compares a name of 10 kB with 1,000 tools', () => {
    const tools = Array.from({ length: 1_000 }, (_, i) =>
      readDefinition({ name: `read_file_${i}` }),
    )
    expect(closestNames('read_file_77', tools, 1)).toEqual(['read_file_77'])
    expect(closestNames('read '.repeat(2_000), tools)).toEqual([])
  })
})
