import { describe, expect, it } from 'vitest'
import { findUnsendable } from './find-unsendable.ts'

describe('findUnsendable', () => {
  const circular: Record<string, unknown> = { type: 'object' }
  circular.properties = { again: circular }
  const shared = { type: 'string' }

  it.each<[string, Record<string, unknown>, string, RegExp]>([
    ['a circular schema', circular, 'properties.again', /refers to itself/],
    ['NaN', { minimum: Number.NaN }, 'minimum', /is NaN/],
    ['Infinity', { properties: { a: { maximum: Infinity } } }, 'properties.a.maximum', /Infinity/],
    ['a function', { default: () => 1 }, 'default', /function/],
    ['a bigint', { const: 1n }, 'const', /bigint/],
    ['a symbol', { const: Symbol('a') }, 'const', /symbol/],
    ['undefined in an array', { enum: ['a', undefined] }, 'enum.1', /undefined/],
    ['a function below an unknown keyword', { 'x-run': { a: [() => 1] } }, 'x-run.a.0', /function/],
  ])('finds %s', (_, schema, path, problem) => {
    const found = findUnsendable(schema)
    expect(found?.path).toBe(path)
    expect(found?.problem).toMatch(problem)
  })

  it('accepts the same object in two places', () => {
    expect(findUnsendable({ properties: { a: shared, b: shared } })).toBeUndefined()
  })

  it('accepts undefined members because JSON drops them', () => {
    expect(findUnsendable({ type: 'object', description: undefined })).toBeUndefined()
  })

  it('finds a too deeply nested value without a stack overflow', () => {
    const deep = (levels: number) => {
      let schema: Record<string, unknown> = { type: 'string' }
      for (let i = 0; i < levels; i++) schema = { items: schema }
      return schema
    }
    expect(findUnsendable(deep(150))).toBeUndefined()
    expect(findUnsendable(deep(300))?.problem).toMatch(/nested deeper than 200/)
    expect(findUnsendable(deep(100_000))?.problem).toMatch(/nested deeper than 200/)
  })
})
