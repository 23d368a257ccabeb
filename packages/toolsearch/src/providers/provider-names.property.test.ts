import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { createProviderNames } from './provider-names.ts'

const STRICT = /^[a-zA-Z0-9_-]{1,64}$/
const names = (list: readonly string[], accepts = STRICT) => {
  const catalogue = createCatalogue()
  catalogue.add(list.map((name) => ({ name })))
  return createProviderNames(catalogue.tools(), accepts)
}

describe('createProviderNames', () => {
  it('keeps a name that the provider accepts', () => {
    const { toProvider, fromProvider, textToProvider } = names(['read_file'])
    expect(toProvider('read_file')).toBe('read_file')
    expect(fromProvider('read_file')).toBe('read_file')
    expect(textToProvider('"read_file"')).toBe('"read_file"')
  })

  it.each(['weather.daily/forecast', 'a'.repeat(65), '7zip', 'Wetter für morgen', '天気', '!'])(
    'translates %s to a name that every provider accepts, and back',
    (name) => {
      const { toProvider, fromProvider } = names([name, 'other'], /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
      expect(toProvider(name)).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
      expect(fromProvider(toProvider(name))).toBe(name)
    },
  )

  it('uses the same replacement for a name, regardless of the other tools', () => {
    expect(names(['a.b', 'c']).toProvider('a.b')).toBe(names(['a_b', 'a.b']).toProvider('a.b'))
  })

  it('uses different replacements for names that differ only in rejected characters', () => {
    const { toProvider } = names(['a.b', 'a/b', 'a:b', 'a_b'])
    expect(new Set(['a.b', 'a/b', 'a:b', 'a_b'].map(toProvider)).size).toBe(4)
  })

  it('recognises a replacement from the history of a stricter provider', () => {
    const dotted = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/
    const { toProvider } = names(['weather.daily'])
    expect(names(['weather.daily'], dotted).toProvider('weather.daily')).toBe('weather.daily')
    expect(names(['weather.daily'], dotted).fromProvider(toProvider('weather.daily'))).toBe(
      'weather.daily',
    )
  })

  it('prefers a tool whose real name is the replacement', () => {
    const replacement = names(['a.b']).toProvider('a.b')
    expect(names(['a.b', replacement]).fromProvider(replacement)).toBe(replacement)
  })

  it('translates names in texts only where they stand alone', () => {
    const { textToProvider, toProvider } = names(['天気', 'a.b'])
    expect(textToProvider('{"name":"a.b"}')).toBe(`{"name":"${toProvider('a.b')}"}`)
    expect(textToProvider('- a.b\n- 天気')).toBe(`- ${toProvider('a.b')}\n- ${toProvider('天気')}`)
    expect(textToProvider('Close to it: a.b, 天気.')).toBe(
      `Close to it: ${toProvider('a.b')}, ${toProvider('天気')}.`,
    )
    expect(textToProvider('今日の天気です xa.bx')).toBe('今日の天気です xa.bx')
  })

  it('translates the names in the input of a search, in every field', () => {
    const { inputFromProvider, toProvider } = names(['say "hi"', 'a.b'])
    const query = `select:mail,${toProvider('say "hi"')}`
    const input = { query, names: [toProvider('a.b'), 7] }
    expect(inputFromProvider(input)).toEqual({ query: 'select:mail,say "hi"', names: ['a.b', 7] })
    expect(inputFromProvider(query)).toBe('select:mail,say "hi"')
    expect(inputFromProvider(undefined)).toBeUndefined()
  })

  it('translates every name back', async () => {
    await checkProperty(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 90 })), (candidates) => {
        const list = candidates.filter(
          (name) => name.trim() === name && !/["\\\p{Cc}\p{Cs}]/u.test(name),
        )
        const { toProvider, fromProvider } = names(list)
        for (const name of list) {
          expect(toProvider(name)).toMatch(STRICT)
          expect(fromProvider(toProvider(name))).toBe(name)
        }
      }),
    )
  })
})
