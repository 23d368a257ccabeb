import { describe, expect, it } from 'vitest'
import { createToolNames, serviceName } from './service-names.ts'

describe('serviceName', () => {
  it.each(['mail', 'get-weather_2', '_x'])('keeps %s', (name) => {
    expect(serviceName(name)).toBe(name)
  })

  it.each(['a.b', 'a b', '1st', 'é', 'x'.repeat(65), ''])('replaces "%s"', (name) => {
    expect(serviceName(name)).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
  })

  it('gives names with the same valid characters different replacements', () => {
    expect(serviceName('a.b')).not.toBe(serviceName('a/b'))
  })
})

describe('createToolNames', () => {
  it('translates replaced names back, and no others', () => {
    const { fromService } = createToolNames(['a.b', 'mail'])
    expect(fromService(serviceName('a.b'))).toBe('a.b')
    expect(fromService('mail')).toBe('mail')
    expect(fromService(serviceName('gone.tool'))).toBe(serviceName('gone.tool'))
  })

  it('prefers a tool that really has the name', () => {
    const { fromService } = createToolNames(['a.b', serviceName('a.b')])
    expect(fromService(serviceName('a.b'))).toBe(serviceName('a.b'))
  })

  it('translates the names in the input of a search', () => {
    const { inInput } = createToolNames(['say "hi"'])
    const query = `select:mail,${serviceName('say "hi"')}`
    expect(inInput({ query })).toEqual({ query: 'select:mail,say "hi"' })
    expect(inInput(undefined)).toBeUndefined()
  })
})
