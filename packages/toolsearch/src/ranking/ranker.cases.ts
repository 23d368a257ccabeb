import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../testing/any-character.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { WordsQuery } from '../query/query.ts'
import type { Ranker, Ranking, RankOptions, ScorePart } from './ranker.ts'
import { createToolSlots } from './tool-slots.ts'

/** The contract of every ranker. Each ranker's test file calls this first. */
export function describeRanker(create: () => Ranker): void {
  describe('ranker contract', () => {
    it('has a name and starts empty', () => {
      const ranker = create()
      expect(ranker.name).toMatch(/^[a-z0-9-]+$/)
      expect(scoresOf(ranker, 'weather')).toEqual([])
      expect(partsOf(ranker, 'weather', 'weather')).toEqual([])
    })

    it('finds a tool by a word of its name and by a word of its description', () => {
      const ranker = create()
      ranker.set(readDefinition({ name: 'weather_now', description: 'Tells about rain' }))
      ranker.set(readDefinition({ name: 'unlock', description: 'Opens doors' }))
      expect(namesOf(ranker, 'weather')[0]).toBe('weather_now')
      expect(namesOf(ranker, 'rain')[0]).toBe('weather_now')
      expect(namesOf(ranker, 'doors')[0]).toBe('unlock')
    })

    it('returns the best tool first', () => {
      const ranker = create()
      ranker.set(readDefinition({ name: 'aaaa', description: 'Sends post' }))
      ranker.set(readDefinition({ name: 'letter_post', description: 'Sends post as a letter' }))
      ranker.set(readDefinition({ name: 'bbbb', description: 'Sends things by post' }))
      const scores = scoresOf(ranker, 'post letter').map(([, score]) => score)
      expect(namesOf(ranker, 'post letter')[0]).toBe('letter_post')
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
      expect(scores).toHaveLength(3)
    })

    it('ignores upper and lower case', () => {
      const ranker = create()
      ranker.set(readDefinition({ name: 'Weather', description: 'RAIN' }))
      const scores = scoresOf(ranker, 'weather rain')
      expect(scores).toHaveLength(1)
      expect(scoresOf(ranker, 'WEATHER Rain')).toEqual(scores)
    })

    it('returns the same tool object that was set', () => {
      const ranker = create()
      const tool = readDefinition({ name: 'weather', metadata: { any: 'thing' } })
      ranker.set(tool)
      const { hits } = ranker.rank(readWords('weather'), { limit: 1, ties: 'name' })
      expect(hits[0]?.tool).toBe(tool)
    })

    it('never returns a tool without a score', () => {
      const ranker = create()
      ranker.set(readDefinition({ name: 'help', description: 'Shows this text' }))
      ranker.set(readDefinition({ name: 'use_tool', description: '' }))
      ranker.set(readDefinition({ name: 'xyz', description: 'qqq' }))
      for (const text of ['help', 'use tool', 'the', 'weather', '中', 'jkv']) {
        for (const [name, score] of scoresOf(ranker, text)) {
          expect([text, name, score > 0]).toEqual([text, name, true])
        }
      }
      expect(scoresOf(ranker, 'weather')).not.toContainEqual(['xyz', expect.anything()])
    })

    it('returns the best tools up to the limit', () => {
      const ranker = create()
      for (let i = 0; i < 200; i++) {
        const description = `Weather ${'rain '.repeat(i % 7)}${'wind '.repeat(i % 5)}`
        ranker.set(readDefinition({ name: `t${i}`, description }))
      }
      const all = scoresOf(ranker, 'weather rain wind', { limit: 1_000, ties: 'name' })
      expect(all).toHaveLength(200)
      for (const limit of [0, 1, 2, 7, 199, 200, 201]) {
        const some = scoresOf(ranker, 'weather rain wind', { limit, ties: 'name' })
        expect(some).toEqual(all.slice(0, limit))
      }
    })

    it('passes the scores it ranks by to scoreAll, if it has that method', () => {
      const ranker = create()
      if (!ranker.scoreAll) return
      const slots = createToolSlots()
      for (const name of ['aaa', 'bbb', 'ccc', 'rain', 'bbb']) {
        for (const one of [ranker, slots]) one.set(readDefinition({ name, description: 'rain' }))
      }
      for (const one of [ranker, slots]) one.delete('aaa')
      for (const one of [ranker, slots]) one.set(readDefinition({ name: 'rain_wind' }))
      const visited: [string, number][] = []
      const { explain: _, ...bounds } = ranker.scoreAll(readWords('rain'), (slot, score) => {
        visited.push([slots.tools[slot]!.name, score])
      })
      const { hits, idealScore, minConfidentScore } = ranker.rank(readWords('rain'), {
        limit: 9,
        ties: 'name',
      })
      expect(new Map(visited)).toEqual(new Map(hits.map(({ tool, score }) => [tool.name, score])))
      expect(bounds).toEqual({
        ...(idealScore !== undefined && { idealScore }),
        ...(minConfidentScore !== undefined && { minConfidentScore }),
      })
    })

    it('breaks ties by name', () => {
      const ranker = create()
      for (const name of ['ccc', 'aaa', 'ddd', 'BBB', 'bbb']) {
        ranker.set(readDefinition({ name, description: 'weather' }))
      }
      expect(namesOf(ranker, 'weather', { limit: 9, ties: 'name' })).toEqual([
        ...['BBB', 'aaa', 'bbb', 'ccc', 'ddd'],
      ])
      expect(namesOf(ranker, 'weather', { limit: 2, ties: 'name' })).toEqual(['BBB', 'aaa'])
    })

    it('breaks ties by order of arrival', () => {
      const ranker = create()
      for (const name of ['ccc', 'aaa', 'ddd', 'bbb']) {
        ranker.set(readDefinition({ name, description: 'weather' }))
      }
      const options: RankOptions = { limit: 9, ties: 'catalogue' }
      expect(namesOf(ranker, 'weather', options)).toEqual(['ccc', 'aaa', 'ddd', 'bbb'])
      expect(namesOf(ranker, 'weather', { ...options, limit: 3 })).toEqual(['ccc', 'aaa', 'ddd'])
    })

    it('keeps the place of a replaced tool, and appends a tool that was deleted and set again', () => {
      const ranker = create()
      for (const name of ['ccc', 'aaa', 'ddd', 'bbb']) {
        ranker.set(readDefinition({ name, description: 'rain' }))
      }
      for (const name of ['bbb', 'ddd', 'aaa', 'ccc']) {
        ranker.set(readDefinition({ name, description: 'weather' }))
      }
      const options: RankOptions = { limit: 9, ties: 'catalogue' }
      expect(namesOf(ranker, 'weather', options)).toEqual(['ccc', 'aaa', 'ddd', 'bbb'])

      ranker.delete('ccc')
      ranker.delete('ddd')
      ranker.set(readDefinition({ name: 'eee', description: 'weather' }))
      ranker.set(readDefinition({ name: 'ccc', description: 'weather' }))
      expect(namesOf(ranker, 'weather', options)).toEqual(['aaa', 'bbb', 'eee', 'ccc'])
    })

    it('does not match a replaced tool by its old text', () => {
      const ranker = create()
      ranker.set(readDefinition({ name: 'aaa', description: 'weather' }))
      ranker.set(readDefinition({ name: 'aaa', description: 'lock' }))
      expect(scoresOf(ranker, 'weather')).toEqual([])
      expect(namesOf(ranker, 'lock')).toEqual(['aaa'])
    })

    it('does not return a deleted tool, and ignores deleting an unknown one', () => {
      const ranker = create()
      ranker.set(readDefinition({ name: 'aaa', description: 'weather' }))
      ranker.delete('bbb')
      expect(namesOf(ranker, 'weather')).toEqual(['aaa'])
      ranker.delete('aaa')
      ranker.delete('aaa')
      expect(scoresOf(ranker, 'weather')).toEqual([])
      expect(partsOf(ranker, 'weather', 'aaa')).toEqual([])
    })

    it('ranks as if a rejected tool did not exist', () => {
      const ranker = create()
      for (const name of ['aaa', 'bbb', 'ccc', 'ddd']) {
        ranker.set(readDefinition({ name, description: 'weather' }))
      }
      const accepts: RankOptions['accepts'] = ({ name }) => name !== 'aaa' && name !== 'ccc'
      expect(namesOf(ranker, 'weather', { limit: 2, ties: 'name', accepts })).toEqual([
        ...['bbb', 'ddd'],
      ])
      expect(namesOf(ranker, 'weather', { limit: 9, ties: 'name', accepts: () => false })).toEqual(
        [],
      )
      expect(namesOf(ranker, 'weather')).toEqual(['aaa', 'bbb', 'ccc', 'ddd'])
    })

    it('returns the same scores regardless of earlier queries', () => {
      const ranker = create()
      ranker.set(readDefinition({ name: 'rain_tool', description: 'rain' }))
      ranker.set(readDefinition({ name: 'wind_tool', description: 'wind' }))
      const before = scoresOf(ranker, 'rain')
      scoresOf(ranker, 'wind rain tool')
      scoresOf(ranker, 'wind', { limit: 0, ties: 'name' })
      expect(scoresOf(ranker, 'rain')).toEqual(before)
    })

    it('handles tools named like properties of Object.prototype', () => {
      const ranker = create()
      for (const name of ['__proto__', 'constructor', 'toString', 'valueOf']) {
        ranker.set(readDefinition({ name, description: 'weather' }))
      }
      expect(namesOf(ranker, 'weather')).toHaveLength(4)
      expect(namesOf(ranker, 'constructor')[0]).toBe('constructor')
      ranker.delete('__proto__')
      expect(namesOf(ranker, 'weather')).toHaveLength(3)
    })

    it('shares no state with other rankers', () => {
      const [one, other] = [create(), create()]
      one.set(readDefinition({ name: 'aaa', description: 'weather' }))
      expect(scoresOf(other, 'weather')).toEqual([])
    })

    it('explains a score by parts that add up to it', async () => {
      await checkProperty(
        fc.property(steps, queries, (changes, text) => {
          const catalogue = createCatalogue()
          const ranker = create()
          catalogue.add(
            changes.map((change) => change.tool),
            { duplicates: 'replace' },
          )
          for (const tool of catalogue.tools()) ranker.set(tool)
          const scores = new Map(scoresOf(ranker, text, { limit: 100, ties: 'name' }))
          const explain = explainerOf(ranker, text)
          for (const { name } of catalogue.tools()) {
            const parts = explain(name)
            const sum = parts.reduce((total, part) => total + part.weight, 0)
            expect(sum).toBeCloseTo(scores.get(name) ?? 0, 9)
            expect(parts.length > 0).toBe(scores.has(name))
            for (const part of parts) {
              expect(part.weight).toBeGreaterThan(0)
              expect(part.term).not.toBe('')
            }
          }
        }),
        { cases: 25 },
      )
    })

    it('explains a ranking after it has ranked other queries', () => {
      const ranker = create()
      ranker.set(readDefinition({ name: 'weather_now', description: 'Tells about rain' }))
      ranker.set(readDefinition({ name: 'unlock', description: 'Opens doors' }))
      const explain = explainerOf(ranker, 'weather rain')
      const parts = explain('weather_now')
      expect(parts.length).toBeGreaterThan(0)
      scoresOf(ranker, 'opens doors')
      partsOf(ranker, 'unlock the doors', 'unlock')
      expect(explain('weather_now')).toEqual(parts)
    })

    it('counts the accepted tools with a score, regardless of the limit', () => {
      const ranker = create()
      for (const name of ['aaa', 'bbb', 'ccc', 'ddd']) {
        ranker.set(readDefinition({ name, description: 'weather' }))
      }
      ranker.set(readDefinition({ name: 'xyz', description: 'qqq' }))
      const totalOf = (options?: Partial<RankOptions>) => {
        const all = { limit: 2, ties: 'name', explain: true, ...options } as const
        return ranker.rank(readWords('weather'), all).total
      }
      expect(totalOf()).toBe(4)
      expect(totalOf({ accepts: ({ name }) => name > 'b' })).toBe(3)
    })

    it('ranks after any changes like a ranker built from scratch', async () => {
      await checkProperty(
        fc.property(fc.array(steps, { maxLength: 4 }), queries, (rounds, text) => {
          const catalogue = createCatalogue()
          const ranker = create()
          catalogue.subscribe(({ added, replaced, removed }) => {
            for (const tool of removed) ranker.delete(tool.name)
            for (const tool of [...replaced, ...added]) ranker.set(tool)
          })
          for (const changes of rounds) {
            for (const { kind, tool } of changes) {
              if (kind === 'set') catalogue.add(tool, { duplicates: 'replace' })
              else catalogue.remove(tool.name)
            }
            const fresh = create()
            for (const tool of catalogue.tools()) fresh.set(tool)
            for (const ties of ['name', 'catalogue'] as const) {
              const options: RankOptions = { limit: 4, ties }
              const query = readWords(text)
              expect(ranker.rank(query, options)).toEqual(fresh.rank(query, options))
            }
            const [explain, explainFresh] = [ranker, fresh].map((one) => explainerOf(one, text))
            for (const { name } of catalogue.tools()) {
              expect(explain!(name)).toEqual(explainFresh!(name))
            }
          }
        }),
        { cases: 25 },
      )
    })

    it('grows far beyond its initial capacity and shrinks again', () => {
      const ranker = create()
      for (let i = 0; i < 1_500; i++) {
        ranker.set(readDefinition({ name: `tool_${i}`, description: `weather ${i % 10}` }))
      }
      for (let i = 0; i < 1_500; i++) if (i % 3 > 0) ranker.delete(`tool_${i}`)
      const options: RankOptions = { limit: 5_000, ties: 'catalogue' }
      expect(ranker.rank(readWords('weather'), options).hits).toHaveLength(500)
      for (let i = 0; i < 1_500; i++) ranker.delete(`tool_${i}`)
      expect(scoresOf(ranker, 'weather')).toEqual([])
    })

    it('scores two tools with the same text equally, regardless of how many tools were added between them', () => {
      const ranker = create()
      const description = 'Reads the weather'
      ranker.set(readDefinition({ name: 'aaa', description }))
      for (let i = 0; i < 500; i++) {
        ranker.set(readDefinition({ name: `zzz_${i}`, description: 'Opens many other doors' }))
      }
      ranker.set(readDefinition({ name: 'bbb', description }))
      const [first, second] = scoresOf(ranker, 'weather')
      expect(second?.[1]).toBe(first?.[1])
      expect([first?.[0], second?.[0]]).toEqual(['aaa', 'bbb'])
    })

    it('ranks 1,000 tools with the same description', () => {
      const ranker = create()
      const description = 'Reads the weather report of a city and returns it as text'
      for (let i = 0; i < 1_000; i++) {
        ranker.set(readDefinition({ name: `tool_${i}`, description }))
      }
      expect(scoresOf(ranker, 'weather report city')).toHaveLength(10)
    })

    it('accepts a tool with a schema of 100 kB', () => {
      const properties = Object.fromEntries(
        Array.from({ length: 2_000 }, (_, i) => [
          `parameter_${i}`,
          { type: 'string', description: 'one of very many words' },
        ]),
      )
      const ranker = create()
      ranker.set(readDefinition({ name: 'huge_weather', inputSchema: { properties } }))
      ranker.set(readDefinition({ name: 'weather_report' }))
      expect(namesOf(ranker, 'huge weather')[0]).toBe('huge_weather')
      ranker.delete('huge_weather')
      expect(namesOf(ranker, 'weather')).toEqual(['weather_report'])
    })

    it('never throws, whatever the query', async () => {
      const ranker = create()
      for (const name of ['read_file', 'FileEdit', 'mcp__a__b', '读取文件', '.*', '(', '😀', 'İ']) {
        ranker.set(readDefinition({ name, description: `${name} [a-z]+ \\ ค้นหา 파일 \ud83d` }))
      }
      await checkProperty(
        fc.property(oddTexts, fc.constantFrom('strip', 'keep'), (text, punctuation) => {
          const raw = { kind: 'words', text, name: text, terms: [text], required: [] } as const
          const parsed = parseQuery(text, { select: false, required: false, punctuation })
          for (const query of parsed.kind === 'words' ? [raw, parsed] : [raw]) {
            const options: RankOptions = { limit: 5, ties: 'name', explain: true }
            const { hits, explain } = ranker.rank(query, options)
            for (const { tool, score } of hits) {
              expect(score).toBeGreaterThan(0)
              expect(score).toBeLessThan(Number.POSITIVE_INFINITY)
              expect(explain!(tool.name).length).toBeGreaterThan(0)
            }
          }
        }),
        { cases: 25 },
      )
    })
  })
}

/** Parses a query that a model could write. */
export function readWords(text: string): WordsQuery {
  const query = parseQuery(text)
  return query.kind === 'words' ? query : expect.fail(`"${text}" is a ${query.kind} query`)
}

/** The name and score of each hit. */
export function scoresOf(
  ranker: Ranker,
  text: string,
  options: RankOptions = { limit: 10, ties: 'name' },
): [name: string, score: number][] {
  return ranker.rank(readWords(text), options).hits.map(({ tool, score }) => [tool.name, score])
}

/** The parts of a tool's score. */
export function partsOf(
  ranker: Ranker,
  text: string,
  name: string,
  accepts?: RankOptions['accepts'],
): readonly ScorePart[] {
  return explainerOf(ranker, text, accepts)(name)
}

function explainerOf(
  ranker: Ranker,
  text: string,
  accepts?: RankOptions['accepts'],
): NonNullable<Ranking['explain']> {
  const options: RankOptions = { limit: 10, ties: 'name', explain: true }
  const { explain } = ranker.rank(readWords(text), { ...options, ...(accepts && { accepts }) })
  return explain ?? expect.fail(`${ranker.name} does not explain its scores`)
}

export function namesOf(ranker: Ranker, text: string, options?: RankOptions): string[] {
  return scoresOf(ranker, text, options).map(([name]) => name)
}

const words = [
  'read',
  'file',
  'Files',
  'sendMessage',
  'get_URL',
  's3',
  '天气',
  'ค้นหา',
  'größe',
  'x',
]
const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((list) => list.join(' '))
const queries = fc
  .array(fc.constantFrom(...words, 'message', 'url', '查天气', 'unheard'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((list) => list.join(' '))
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('set', 'set', 'delete'),
    tool: fc.record({
      name: fc.constantFrom(
        ...['read_file', 'ReadFiles', 'mcp__s3__get_file', 'mcp__x__sendMessage', '天气', 'x'],
      ),
      description: text,
      searchHint: text,
      tags: fc.array(fc.constantFrom(...words), { maxLength: 2 }),
      inputSchema: fc
        .dictionary(fc.constantFrom('url', 'file'), fc.record({ description: text }))
        .map((properties) => ({ type: 'object', properties })),
    }),
  }),
  { maxLength: 12 },
)

const oddPiece = fc.constantFrom(
  ...['.*', '(', '[', '\\', '+', '?', '^$', '{2}', '|', '"', '\0', '\n', ' ', '_', '__', '.', '-'],
  ...[
    '😀',
    '👨‍👩‍👧',
    '中',
    '文件',
    'ファイル',
    'ไฟล์',
    '파일',
    'файл',
    'ملف',
    'फ़ाइल',
    '\u0301',
    '\u200d',
  ],
  ...['\ud83d', '\ude00', 'İ', 'ß', 'ǅ', 'ﬁ', '１', 'file', 'File', 'FILE', 'a', '0', '__proto__'],
)
const oddTexts = fc.oneof(
  fc.array(oddPiece, { minLength: 1, maxLength: 30 }).map((list) => list.join('')),
  fc.tuple(oddPiece, fc.integer({ min: 1, max: 10_000 })).map(([piece, times]) => {
    return piece.repeat(times).slice(0, 10_000)
  }),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 10_000, size: 'max' }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 200 })
    .map((units) => String.fromCharCode(...units)),
)
