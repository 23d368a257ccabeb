import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../testing/any-character.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { readDefinition } from './read-definition.ts'
import { toolFingerprint } from './tool-fingerprint.ts'

describe('toolFingerprint', () => {
  it('is sixteen hexadecimal digits', () => {
    expect(toolFingerprint(readDefinition({ name: 'a' }))).toMatch(/^[0-9a-f]{16}$/)
    expect(toolFingerprint(readDefinition({ name: '读取 😀' }))).toMatch(/^[0-9a-f]{16}$/)
  })

  it('is the same for equal tools, across processes', () => {
    const inputSchema = { type: 'object', properties: { path: { type: 'string' } } }
    const first = readDefinition({ name: 'read_file', description: 'Reads', inputSchema })
    const second = readDefinition({ name: 'read_file', description: 'Reads', inputSchema })
    expect(toolFingerprint(first)).toBe(toolFingerprint(first))
    expect(toolFingerprint(first)).toBe(toolFingerprint(second))
    expect(toolFingerprint(first)).toMatchInlineSnapshot(`"20069f8b32a17bb1"`)
  })

  it('does not depend on the order of keys', () => {
    const one = readDefinition({
      name: 'a',
      inputSchema: { type: 'object', properties: { x: { type: 'string', title: 't' }, y: {} } },
    })
    const other = readDefinition({
      inputSchema: { properties: { y: {}, x: { title: 't', type: 'string' } }, type: 'object' },
      name: 'a',
    })
    expect(toolFingerprint(one)).toBe(toolFingerprint(other))
  })

  it.each([
    ['name', { name: 'b', description: 'Reads', inputSchema: { enum: [1, 2] } }],
    ['description', { name: 'a', description: 'reads', inputSchema: { enum: [1, 2] } }],
    ['schema', { name: 'a', description: 'Reads', inputSchema: { enum: [1, '2'] } }],
    ['order of values', { name: 'a', description: 'Reads', inputSchema: { enum: [2, 1] } }],
  ])('changes with the %s', (_, changed) => {
    const tool = readDefinition({ name: 'a', description: 'Reads', inputSchema: { enum: [1, 2] } })
    expect(toolFingerprint(readDefinition(changed))).not.toBe(toolFingerprint(tool))
  })

  it('does not change with fields the model does not see', () => {
    const tool = readDefinition({ name: 'a' })
    const other = readDefinition({
      name: 'a',
      searchHint: 'hint',
      tags: ['x'],
      metadata: { a: 1 },
      source: 'plugin',
      loading: 'eager',
    })
    expect(toolFingerprint(other)).toBe(toolFingerprint(tool))
  })

  it('changes if text moves from the name to the description', () => {
    const one = readDefinition({ name: 'ab', description: 'c' })
    const other = readDefinition({ name: 'a', description: 'bc' })
    expect(toolFingerprint(one)).not.toBe(toolFingerprint(other))
  })

  it('differs for 5,000 similar tools', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 5_000; i++) seen.add(toolFingerprint(readDefinition({ name: `tool_${i}` })))
    expect(seen.size).toBe(5_000)
  })

  it('changes with any single character', async () => {
    const text = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 })
    await checkProperty(
      fc.property(text, text, (before, after) => {
        const [one, other] = [before, after].map((description) =>
          toolFingerprint(readDefinition({ name: 'a', description })),
        )
        expect(one === other).toBe(before === after)
      }),
    )
  })
})
