import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { describe, expect, it } from 'vitest'
import { stem } from '../../packages/toolsearch/src/words/stem.ts'
import { STOP_WORDS } from '../../packages/toolsearch/src/words/stop-words.ts'
import { wordsOf } from '../../packages/toolsearch/src/words/words.ts'
import { readLines } from '../data/read-lines.ts'
import { unknownNames } from '../data/read-queries.ts'
import { REQUESTS, requestSet } from './request-set.ts'
import { splitHalves } from './split-halves.ts'

const KINDS = ['agent', 'user', 'paraphrase', 'named', 'several', 'jargon', 'foreign', 'none']
const { tools, queries } = requestSet()

describe('requestSet', () => {
  it('divides the requests between the halves', () => {
    const a = requestSet('a').queries
    const b = requestSet('b').queries
    expect(a.length + b.length).toBe(queries.length)
    expect(new Set([...a, ...b].map(({ query }) => query)).size).toBe(queries.length)
  })
})

describe('the requests', () => {
  it('differ from each other', () => {
    const seen = queries.map(({ query }) => query.toLowerCase().replace(/[^\p{L}\p{N}]+$/u, ''))
    expect(seen.filter((query, at) => seen.indexOf(query) !== at)).toEqual([])
  })

  it('have one of eight kinds, each with at least 40 requests', () => {
    expect(new Set(queries.map(({ kind }) => kind))).toEqual(new Set(KINDS))
    expect(KINDS.filter((kind) => ofKind(kind).length < 40)).toEqual([])
  })

  it('name only tools that exist, unless the kind is "none"', () => {
    expect(unknownNames(queries, tools)).toEqual([])
    const wrong = queries.filter(
      ({ kind, relevant }) => (kind === 'none') !== (relevant.length === 0),
    )
    expect(wrong).toEqual([])
  })

  it('have the same tools in their groups as in their relevant tools', () => {
    const wrong = queries.filter(
      ({ relevant, groups }) => groups && !sameNames(relevant, groups.flat()),
    )
    expect(wrong).toEqual([])
  })

  it('have several needs if the kind is "several"', () => {
    const needs = ofKind('several').map((request) => labelsOf(request).length)
    expect(needs.filter((count) => count < 2 || count > 4)).toEqual([])
  })

  it('have a language if the kind is "foreign", with at least 8 in each of four languages', () => {
    const languages = ofKind('foreign').map(({ language }) => language)
    expect(languages).not.toContain(undefined)
    const rare = ['de', 'es', 'fr', 'zh'].filter(
      (language) => languages.filter((other) => other === language).length < 8,
    )
    expect(rare).toEqual([])
  })

  it('cover every server', () => {
    const named = new Set(queries.flatMap(({ relevant }) => relevant.map(serverOf)))
    const servers = new Set(tools.map(({ name }) => serverOf(name)))
    expect([...servers].filter((server) => !named.has(server))).toEqual([])
  })

  it('state the half that splitHalves assigns, which has half of each kind', () => {
    const halves = splitHalves(queries)
    const wrong = readLines(REQUESTS)
      .filter(({ fields }) => fields.half !== halves.get(fields.query as string))
      .map(({ fields, place }) => `${place}: half must be ${halves.get(fields.query as string)}`)
    expect(wrong).toEqual([])
  })
})

it.each(ofKind('paraphrase'))('"$query" shares no word with its tools', ({ query, relevant }) => {
  const stems = stemsOf(query)
  const shared = tools
    .filter(({ name }) => relevant.includes(name))
    .flatMap(({ name, description }) => [...stemsOf(`${name} ${description}`)])
    .filter((word) => stems.has(word))
  expect(shared).toEqual([])
})

/** The stems of a text, without stop words and without remnants such as the `s` of `tool's`. */
function stemsOf(text: string): Set<string> {
  const words = wordsOf(text).flatMap(({ whole, pieces }) => [whole, ...pieces])
  return new Set(words.filter((word) => word.length > 2 && !STOP_WORDS.has(word)).map(stem))
}

function ofKind(wanted: string): EvaluationQuery[] {
  return queries.filter(({ kind }) => kind === wanted)
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.every((name) => others.includes(name)) && others.every((name) => some.includes(name))
}

function serverOf(name: string): string {
  return name.split('__')[1]!
}
