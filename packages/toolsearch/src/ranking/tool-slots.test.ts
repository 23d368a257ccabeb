import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { createToolSlots } from './tool-slots.ts'

const tool = (name: string) => readDefinition({ name })

describe('createToolSlots', () => {
  it('numbers tools from 0 and finds them by name', () => {
    const slots = createToolSlots()
    expect(['a', 'b', 'c'].map((name) => slots.set(tool(name)))).toEqual([0, 1, 2])
    expect(['a', 'c', 'd'].map(slots.of)).toEqual([0, 2, undefined])
    expect(slots.tools.map((one) => one?.name)).toEqual(['a', 'b', 'c'])
    expect(slots.count()).toBe(3)
  })

  it('keeps the slot and place of a replaced tool', () => {
    const slots = createToolSlots()
    for (const name of ['a', 'b']) slots.set(tool(name))
    const replacement = tool('a')
    expect(slots.set(replacement)).toBe(0)
    expect(slots.tools[0]).toBe(replacement)
    expect(slots.places).toEqual([0, 1])
  })

  it('reuses the slot of a deleted tool for the next tool, which comes last', () => {
    const slots = createToolSlots()
    for (const name of ['a', 'b']) slots.set(tool(name))
    expect(slots.delete('a')).toBe(0)
    expect(slots.delete('a')).toBeUndefined()
    expect(slots.tools[0]).toBeUndefined()
    expect(slots.set(tool('c'))).toBe(0)
    expect(slots.places).toEqual([2, 1])
  })
})
