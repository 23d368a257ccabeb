import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { createWireNames } from './wire-names.ts'

const STRICT = /^[a-zA-Z0-9_-]{1,64}$/
const names = (list: readonly string[], accepts = STRICT) => {
  const catalogue = createCatalogue()
  catalogue.add(list.map((name) => ({ name })))
  return createWireNames(catalogue.tools(), accepts)
}

describe('createWireNames', () => {
  it('leaves a name alone that the provider accepts', () => {
    const { toWire, fromWire, textToWire } = names(['read_file'])
    expect(toWire('read_file')).toBe('read_file')
    expect(fromWire('read_file')).toBe('read_file')
    expect(textToWire('"read_file"')).toBe('"read_file"')
  })

  it.each(['weather.daily/forecast', 'a'.repeat(65), '7zip', 'Wetter für morgen', '天気', '!'])(
    'sends %s under a name that every provider accepts, and knows it again',
    (name) => {
      const { toWire, fromWire } = names([name, 'other'], /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
      expect(toWire(name)).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
      expect(fromWire(toWire(name))).toBe(name)
    },
  )

  it('gives a name the same form whatever other tools there are', () => {
    expect(names(['a.b', 'c']).toWire('a.b')).toBe(names(['a_b', 'a.b']).toWire('a.b'))
  })

  it('keeps names apart that differ only in what is refused', () => {
    const { toWire } = names(['a.b', 'a/b', 'a:b', 'a_b'])
    expect(new Set(['a.b', 'a/b', 'a:b', 'a_b'].map(toWire)).size).toBe(4)
  })

  it('knows a name from a history of a provider that is stricter', () => {
    const dotted = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/
    const { toWire } = names(['weather.daily'])
    expect(names(['weather.daily'], dotted).toWire('weather.daily')).toBe('weather.daily')
    expect(names(['weather.daily'], dotted).fromWire(toWire('weather.daily'))).toBe('weather.daily')
  })

  it('means the tool that really has such a name', () => {
    const taken = names(['a.b']).toWire('a.b')
    expect(names(['a.b', taken]).fromWire(taken)).toBe(taken)
  })

  it('renames names in texts where they stand alone, and nowhere else', () => {
    const { textToWire, toWire } = names(['天気', 'a.b'])
    expect(textToWire('{"name":"a.b"}')).toBe(`{"name":"${toWire('a.b')}"}`)
    expect(textToWire('- a.b\n- 天気')).toBe(`- ${toWire('a.b')}\n- ${toWire('天気')}`)
    expect(textToWire('Close to it: a.b, 天気.')).toBe(
      `Close to it: ${toWire('a.b')}, ${toWire('天気')}.`,
    )
    expect(textToWire('今日の天気です xa.bx')).toBe('今日の天気です xa.bx')
  })

  it('gives every text back that it has changed', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 90 })), (given) => {
        const list = given.filter(
          (name) => name.trim() === name && !/["\\\p{Cc}\p{Cs}]/u.test(name),
        )
        const { toWire, fromWire } = names(list)
        for (const name of list) {
          expect(toWire(name)).toMatch(STRICT)
          expect(fromWire(toWire(name))).toBe(name)
        }
      }),
    )
  })
})
