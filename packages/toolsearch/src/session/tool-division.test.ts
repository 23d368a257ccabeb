import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { EMPTY_RECORD } from '../stores/session-record.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { toolTokens } from '../tokens/tool-tokens.ts'
import { createDivider, type DivideOptions, isHidden } from './tool-division.ts'

const options: Omit<DivideOptions, 'catalogue'> = {
  policy: {},
  searchToolName: 'tool_search',
  countTokens: estimateTokens,
  neverDefer: false,
}

describe('createDivider', () => {
  it('divides tools into deferrable ones and others, in catalogue order', () => {
    const catalogue = createCatalogue([
      { name: 'c' },
      { name: 'a', loading: 'eager' },
      { name: 'b', loading: 'deferred' },
    ])
    const division = createDivider({ ...options, catalogue })()
    expect(division.visible.map(({ name }) => name)).toEqual(['c', 'a', 'b'])
    expect(division.deferrable.map(({ name }) => name)).toEqual(['c', 'b'])
    expect(division.visible.map(division.deferral)).toEqual([
      'deferred',
      'eager',
      'always-deferred',
    ])
    expect(division.eager.map(({ name }) => name)).toEqual(['a'])
    expect(division.alwaysDeferred.map(({ name }) => name)).toEqual(['b'])
    expect(division.nameConflicts).toEqual([])
    expect(division.isVisible).toBeUndefined()
  })

  it('never exposes a tool the caller may not use', () => {
    const catalogue = createCatalogue([{ name: 'open' }, { name: 'secret' }])
    const isAllowed = ({ name }: { name: string }) => name === 'open'
    const division = createDivider({ ...options, catalogue, access: { isAllowed } })()
    expect(division.visible.map(({ name }) => name)).toEqual(['open'])
    expect(division.deferrable.map(({ name }) => name)).toEqual(['open'])
    expect(division.get('open')?.name).toBe('open')
    expect(division.get('secret')).toBeUndefined()
    expect(division.isVisible?.(catalogue.get('secret')!)).toBe(false)
    expect(division.definitionTokens()).toBe(toolTokens(catalogue.get('open')!, estimateTokens))
  })

  it('leaves out a tool with the name of the search tool and reports it', () => {
    const catalogue = createCatalogue([{ name: 'tool_search' }, { name: 'a' }])
    const division = createDivider({ ...options, catalogue })()
    expect(division.visible.map(({ name }) => name)).toEqual(['a'])
    expect(division.get('tool_search')).toBeUndefined()
    expect(division.isVisible?.(catalogue.get('tool_search')!)).toBe(false)
    expect(division.nameConflicts).toEqual(['tool_search'])
  })

  it('keeps a tool with the name of the search tool if deferral is off', () => {
    const catalogue = createCatalogue([{ name: 'tool_search' }])
    const division = createDivider({ ...options, catalogue, neverDefer: true })()
    expect(division.visible.map(({ name }) => name)).toEqual(['tool_search'])
    expect(division.nameConflicts).toEqual([])
  })

  it('does not report a name conflict with a tool the caller may not use', () => {
    const catalogue = createCatalogue([{ name: 'tool_search' }, { name: 'a' }])
    const isAllowed = ({ name }: { name: string }) => name === 'a'
    expect(createDivider({ ...options, catalogue, access: { isAllowed } })().nameConflicts).toEqual(
      [],
    )
  })

  it('defers nothing if deferral is off, regardless of the policy and the tools', () => {
    const catalogue = createCatalogue([{ name: 'a' }, { name: 'b', loading: 'deferred' }])
    const division = createDivider({ ...options, catalogue, neverDefer: true })()
    expect(division.deferrable).toEqual([])
    expect(division.definitionTokens()).toBe(0)
  })

  it('checks access once per tool and catalogue version', () => {
    const catalogue = createCatalogue([{ name: 'a' }, { name: 'b' }])
    const asked: string[] = []
    const isAllowed = ({ name }: { name: string }) => {
      asked.push(name)
      return true
    }
    const divide = createDivider({ ...options, catalogue, access: { isAllowed } })
    expect(divide()).toBe(divide())
    expect(asked).toEqual(['a', 'b'])
    catalogue.add({ name: 'c' })
    expect(divide().visible).toHaveLength(3)
    expect(asked).toEqual(['a', 'b', 'a', 'b', 'c'])
  })

  it('counts the tokens of deferrable definitions once', () => {
    const catalogue = createCatalogue([{ name: 'a' }, { name: 'b', loading: 'eager' }])
    let counted = 0
    const countTokens = (text: string) => {
      counted++
      return text.length
    }
    const division = createDivider({ ...options, catalogue, countTokens })()
    expect(counted).toBe(0)
    const tokens = division.definitionTokens()
    expect(tokens).toBe(toolTokens(catalogue.get('a')!, (text) => text.length))
    expect(division.definitionTokens()).toBe(tokens)
    expect(counted).toBe(1)
  })
})

describe('isHidden', () => {
  it.each([
    ['an automatic tool before deferral starts', 'auto', {}, false],
    ['an automatic tool once deferral is active', 'auto', { active: true }, true],
    ['a tool that is always deferred, before deferral starts', 'deferred', {}, true],
    ['a tool that is always deferred, once deferral is active', 'deferred', { active: true }, true],
    ['an eager tool', 'eager', { active: true }, false],
    ['a loaded tool', 'deferred', { loaded: [{ name: 'a', fingerprint: '1' }] }, false],
    ['a tool that was sent', 'auto', { active: true, sent: ['a'] }, false],
    [
      'an automatic tool after all automatic ones',
      'auto',
      { active: true, seen: 'automatic' },
      false,
    ],
    [
      'a tool that is always deferred, after all automatic ones',
      'deferred',
      { seen: 'automatic' },
      true,
    ],
    ['a tool that is always deferred, after all tools', 'deferred', { seen: 'all' }, false],
  ] as const)('%s', (_, loading, record, expected) => {
    const catalogue = createCatalogue([{ name: 'a', loading }])
    const division = createDivider({ ...options, catalogue })()
    expect(isHidden(catalogue.get('a')!, division, { ...EMPTY_RECORD, ...record })).toBe(expected)
  })
})
