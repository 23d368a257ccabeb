import { Ajv2020 } from 'ajv/dist/2020.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createToolSearch } from 'toolsearch'
import { describe, expect, it } from 'vitest'
import { conversation } from './conversation.ts'
import { largeCatalogue } from './large-catalogue.ts'
import { onCallTools } from './on-call-tools.ts'

const replies = conversation.map(({ reply }) => reply)
const searches = replies.flatMap(({ search }) => search ?? [])
const calls = replies.flatMap(({ calls }) => calls ?? [])
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
const byName = new Map(onCallTools.map((tool) => [tool.name, tool]))

describe('conversation', () => {
  it('has 30 requests with 12 searches, and six user messages', () => {
    expect(conversation).toHaveLength(30)
    expect(searches).toHaveLength(12)
    expect(conversation.filter(({ user }) => user !== undefined)).toHaveLength(6)
  })

  it('starts with a user message, and has another after each reply without calls', () => {
    conversation.forEach(({ user }, at) => {
      const before = replies[at - 1]
      expect(user !== undefined).toBe(!before?.search && !before?.calls)
    })
  })

  it('never searches and calls in the same reply', () => {
    for (const { text, search, calls } of replies) {
      expect(search && calls).toBeUndefined()
      expect(Boolean(text || search || calls)).toBe(true)
    }
  })

  it('uses one to three tools of each search, and none of them twice', () => {
    for (const { loads } of searches) {
      expect(loads.length).toBeGreaterThanOrEqual(1)
      expect(loads.length).toBeLessThanOrEqual(3)
    }
    const loaded = searches.flatMap(({ loads }) => loads)
    expect(new Set(loaded).size).toBe(loaded.length)
  })

  it('calls only loaded tools', () => {
    const loaded = new Set<string>()
    for (const { search, calls = [] } of replies) {
      expect(calls.map(({ name }) => name).filter((name) => !loaded.has(name))).toEqual([])
      for (const name of search?.loads ?? []) loaded.add(name)
    }
  })

  it.each(calls)('calls $name with arguments that match its schema', (call) => {
    const validate = ajv.compile(byName.get(call.name)!.inputSchema!)
    validate(call.arguments)
    expect(validate.errors ?? []).toEqual([])
  })

  it.each(calls)('has a result of 50 to 600 tokens for $name', ({ result }) => {
    expect(countTokens(result)).toBeGreaterThanOrEqual(50)
    expect(countTokens(result)).toBeLessThanOrEqual(600)
  })

  describe.each([
    { count: 58, tools: onCallTools },
    { count: 500, tools: largeCatalogue() },
  ])('with $count tools', ({ tools }) => {
    const { search } = createToolSearch({ tools })

    it.each(searches)('finds the needed tools with "$query"', ({ query, loads }) => {
      const names = search(query).hits.map(({ tool }) => tool.name)
      expect(names.length).toBeLessThanOrEqual(5)
      expect(names).toEqual(expect.arrayContaining([...loads]))
    })

    it('never searches for a tool that an earlier search has found', () => {
      const found = new Set<string>()
      for (const { query, loads } of searches) {
        expect(loads.filter((name) => found.has(name))).toEqual([])
        for (const { tool } of search(query).hits) found.add(tool.name)
      }
    })
  })
})
