import { describe, expect, it } from 'vitest'
import { InvalidOptionError } from '../options/invalid-option-error.ts'
import { ToolSearchError } from '../tool-search-error.ts'
import {
  type Activation,
  type ActivationFacts,
  checkActivation,
  InvalidActivationError,
  isActive,
  parseActivation,
} from './activation.ts'

/** A short conversation with a context window of 1,000 tokens. */
const facts: ActivationFacts = {
  deferrableTools: 3,
  allTools: 5,
  definitionTokens: () => 40,
  usedTokens: 20,
  contextWindow: 1_000,
}

describe('isActive', () => {
  it.each<[Activation, Partial<ActivationFacts>, boolean]>([
    ['never', { deferrableTools: 10_000, usedTokens: 1_000 }, false],
    ['always', { deferrableTools: 0 }, true],
    [{ toolCount: 15 }, { deferrableTools: 14, allTools: 100 }, false],
    [{ toolCount: 15 }, { deferrableTools: 15 }, true],
    [{ toolCount: 15, of: 'deferrable' }, { deferrableTools: 14, allTools: 100 }, false],
    [{ toolCount: 15, of: 'deferrable' }, { deferrableTools: 15 }, true],
    [{ definitionShare: 0.1 }, { definitionTokens: () => 99 }, false],
    [{ definitionShare: 0.1 }, { definitionTokens: () => 100 }, true],
    [{ definitionShare: 0.1 }, { definitionTokens: () => 100, contextWindow: 1_001 }, false],
    [{ usageShare: 0.1 }, { usedTokens: 99 }, false],
    [{ usageShare: 0.1 }, { usedTokens: 100 }, true],
    [{ usageShare: 0.1 }, { usedTokens: 0, definitionTokens: () => 900 }, false],
    ['auto', { definitionTokens: () => 99 }, false],
    ['auto', { definitionTokens: () => 100 }, true],
    ['auto:5', { definitionTokens: () => 49 }, false],
    ['auto:5', { definitionTokens: () => 50 }, true],
    ['auto:0', { definitionTokens: () => 0 }, true],
    ['auto:100', { definitionTokens: () => 999 }, false],
    ['auto:100', { definitionTokens: () => 1_000 }, true],
    ['auto:2.5', { definitionTokens: () => 24 }, false],
    ['auto:2.5', { definitionTokens: () => 25 }, true],
  ])('with %j and %j is %s', (activation, overrides, expected) => {
    expect(isActive(activation, { ...facts, ...overrides })).toBe(expected)
  })

  it('counts the search tool with of: all', () => {
    const activation: Activation = { toolCount: 15, of: 'all' }
    expect(isActive(activation, { ...facts, deferrableTools: 0, allTools: 13 })).toBe(false)
    expect(isActive(activation, { ...facts, deferrableTools: 0, allTools: 14 })).toBe(true)
  })

  it.each<[string, Partial<ActivationFacts>, boolean]>([
    ['neither applies', {}, false],
    ['the first applies', { deferrableTools: 15 }, true],
    ['the second applies', { definitionTokens: () => 100 }, true],
    ['both apply', { deferrableTools: 15, definitionTokens: () => 100 }, true],
  ])('is active if any option of anyOf applies: %s', (_, overrides, expected) => {
    const activation: Activation = { anyOf: [{ toolCount: 15 }, { definitionShare: 0.1 }] }
    expect(isActive(activation, { ...facts, ...overrides })).toBe(expected)
  })

  it('supports nested anyOf', () => {
    const activation: Activation = { anyOf: ['never', { anyOf: ['never', { usageShare: 0.5 }] }] }
    expect(isActive(activation, { ...facts, usedTokens: 499 })).toBe(false)
    expect(isActive(activation, { ...facts, usedTokens: 500 })).toBe(true)
  })

  it('is not active with an empty anyOf', () => {
    expect(isActive({ anyOf: [] }, facts)).toBe(false)
  })

  it('counts tokens only if the result depends on them', () => {
    let counted = 0
    const counting = {
      ...facts,
      deferrableTools: 20,
      definitionTokens: () => {
        counted++
        return 0
      },
    }
    isActive('always', counting)
    isActive({ usageShare: 0.1 }, counting)
    isActive({ anyOf: [{ toolCount: 15 }, { definitionShare: 0.1 }] }, counting)
    expect(counted).toBe(0)
    isActive({ definitionShare: 0.1 }, counting)
    expect(counted).toBe(1)
  })

  it('throws on a share above 100%', () => {
    expect(() => isActive('auto:101', facts)).toThrow(InvalidActivationError)
  })
})

describe('parseActivation', () => {
  it.each([
    ['true', 'always'],
    ['always', 'always'],
    ['', 'always'],
    ['false', 'never'],
    ['never', 'never'],
    ['auto', 'auto'],
    ['auto:5', 'auto:5'],
    ['auto:0', 'auto:0'],
    ['auto:100', 'auto:100'],
    ['auto:7.5', 'auto:7.5'],
    [' AUTO:5 ', 'auto:5'],
    ['TRUE', 'always'],
  ])('parses %j as %j', (setting, activation) => {
    expect(parseActivation(setting)).toBe(activation)
  })

  it.each([
    'auto:',
    'auto:101',
    'auto:100.1',
    'auto:-1',
    'auto:+5',
    'auto:5%',
    'auto:ten',
    'auto:1e1',
    'auto:0x5',
    'auto:.5',
    'auto:5.',
    'auto: 5',
    'auto:5:5',
    'auto:NaN',
    'auto:9999',
    'auto5',
    'automatic',
    'yes',
    '1',
    'tool',
  ])('rejects %j', (setting) => {
    expect(() => parseActivation(setting)).toThrow(InvalidActivationError)
  })

  it('treats a variable that is not set like an empty one', () => {
    expect(parseActivation(undefined)).toBe('always')
  })

  it.each([null, true, 5, {}])('throws its own error for %j', (setting) => {
    expect(() => parseActivation(setting as never)).toThrow(InvalidOptionError)
  })

  it('names the invalid setting and the valid ones', () => {
    expect(() => parseActivation('auto:200')).toThrow(
      'Invalid activation "auto:200". Use true, false, auto, or auto:N with N from 0 to 100.',
    )
  })

  it('throws an error with a code', () => {
    const error = new InvalidActivationError('maybe')
    expect(error).toBeInstanceOf(ToolSearchError)
    expect(error).toMatchObject({ code: 'invalid_activation', name: 'InvalidActivationError' })
  })
})

describe('checkActivation', () => {
  it.each<[unknown, string]>([
    [
      { definitionShare: 10 },
      'activation.definitionShare is 10; use a share from 0 to 1 (10 % is 0.1)',
    ],
    [{ usageShare: -0.1 }, 'activation.usageShare is -0.1; use a share from 0 to 1 (10 % is 0.1)'],
    [{ toolCount: Number.NaN }, 'activation.toolCount is NaN; use a whole number, 0 or more'],
    [{ toolCount: '15' }, 'activation.toolCount is "15"; use a whole number, 0 or more'],
    [{ toolcount: 3 }, 'There is no option "toolcount" in activation. Did you mean "toolCount"?'],
    [{ toolCount: 3, of: 'every' }, 'activation.of is "every"; use "deferrable" or "all"'],
    [
      { toolCount: 3, usageShare: 0.5 },
      'activation is {"toolCount":3,"usageShare":0.5}; use one condition, or several in anyOf',
    ],
    [15, 'activation is 15; use "auto", "always", "never", or an object such as { toolCount: 15 }'],
    [{}, 'activation is {}; use "auto", "always", "never", or an object such as { toolCount: 15 }'],
    [
      'auto:500',
      'activation is "auto:500"; use "never", "always", "auto", or "auto:N" with N from 0 to 100',
    ],
    [
      { anyOf: { toolCount: 3 } },
      'activation.anyOf is {"toolCount":3}; use an array of conditions',
    ],
    [
      { anyOf: ['always', { toolCount: 1.5 }] },
      'activation.anyOf.1.toolCount is 1.5; use a whole number, 0 or more',
    ],
  ])('rejects %j', (activation, message) => {
    expect(() => checkActivation(activation, 'activation')).toThrow(InvalidOptionError)
    expect(() => checkActivation(activation, 'activation')).toThrow(message)
  })

  it.each<[Activation]>([
    ['never'],
    ['auto:0'],
    ['auto:7.5'],
    [{ toolCount: 0 }],
    [{ toolCount: 15, of: 'all' }],
    [{ definitionShare: 1 }],
    [{ anyOf: [] }],
    [{ anyOf: ['never', 'auto', { anyOf: [{ usageShare: 0.5 }] }] }],
  ])('accepts %j', (activation) => {
    expect(() => checkActivation(activation, 'activation')).not.toThrow()
  })
})
