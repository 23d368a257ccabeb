import { Ajv2020 } from 'ajv/dist/2020.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createToolSearch } from 'toolsearch'
import { describe, expect, it } from 'vitest'
import { wireCatalogue } from './catalogue/wire-catalogue.ts'
import { conversation } from './conversation.ts'
import { largeCatalogue } from './large-catalogue.ts'

const replies = conversation.map(({ reply }) => reply)
const searches = replies.flatMap(({ search }) => search ?? [])
const calls = replies.flatMap(({ calls }) => calls ?? [])
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
const byName = new Map(wireCatalogue.map((tool) => [tool.name, tool]))

describe('conversation', () => {
  it('takes 30 requests, 12 of them searches, after six messages of the user', () => {
    expect(conversation).toHaveLength(30)
    expect(searches).toHaveLength(12)
    expect(conversation.filter(({ user }) => user !== undefined)).toHaveLength(6)
  })

  it('lets the user speak after a plain answer and at no other time', () => {
    conversation.forEach(({ user }, at) => {
      const before = replies[at - 1]
      expect(user !== undefined).toBe(!before?.search && !before?.calls)
    })
  })

  it('does one thing in a reply: search, call or answer', () => {
    for (const { text, search, calls } of replies) {
      expect(search && calls).toBeUndefined()
      expect(Boolean(text || search || calls)).toBe(true)
    }
  })

  it('loads one to three tools with a search, none of them twice', () => {
    for (const { loads } of searches) {
      expect(loads.length).toBeGreaterThanOrEqual(1)
      expect(loads.length).toBeLessThanOrEqual(3)
    }
    const loaded = searches.flatMap(({ loads }) => loads)
    expect(new Set(loaded).size).toBe(loaded.length)
  })

  it('calls no tool before it was loaded', () => {
    const loaded = new Set<string>()
    for (const { search, calls = [] } of replies) {
      expect(calls.map(({ name }) => name).filter((name) => !loaded.has(name))).toEqual([])
      for (const name of search?.loads ?? []) loaded.add(name)
    }
  })

  it.each(calls)('gives $name arguments that its schema accepts', (call) => {
    const validate = ajv.compile(byName.get(call.name)!.inputSchema!)
    validate(call.arguments)
    expect(validate.errors ?? []).toEqual([])
  })

  it.each(calls)('gets an answer of ordinary length from $name', ({ result }) => {
    expect(countTokens(result)).toBeGreaterThanOrEqual(50)
    expect(countTokens(result)).toBeLessThanOrEqual(600)
  })

  describe.each([
    { count: 58, tools: wireCatalogue },
    { count: 500, tools: largeCatalogue() },
  ])('over $count tools', ({ tools }) => {
    const { search } = createToolSearch({ tools })

    it.each(searches)('finds what "$query" is to load', ({ query, loads }) => {
      const names = search(query).hits.map(({ tool }) => tool.name)
      expect(names.length).toBeLessThanOrEqual(5)
      expect(names).toEqual(expect.arrayContaining([...loads]))
    })

    it('searches for nothing that an earlier search has found', () => {
      const found = new Set<string>()
      for (const { query, loads } of searches) {
        expect(loads.filter((name) => found.has(name))).toEqual([])
        for (const { tool } of search(query).hits) found.add(tool.name)
      }
    })
  })
})
