import { isObject } from '../is-object.ts'
import {
  type Check,
  checkOptions,
  count,
  fail,
  oneOf,
  type Shape,
  share,
  text,
} from '../options/check-option.ts'
import { ToolSearchError } from '../tool-search-error.ts'

/**
 * When deferral starts.
 *
 * - `{ toolCount }`: from this number of deferrable tools on. `of: 'all'` counts all tools and the
 *   search tool.
 * - `{ definitionShare }`: when deferrable definitions fill this share of the context window.
 * - `{ usageShare }`: when the conversation so far fills this share of the context window.
 * - `'auto'`: `{ definitionShare: 0.1 }`. `'auto:5'`: `{ definitionShare: 0.05 }`. Claude Code uses
 *   the same syntax.
 */
export type Activation =
  | 'never'
  | 'always'
  | 'auto'
  | `auto:${number}`
  | { readonly toolCount: number; readonly of?: 'deferrable' | 'all' }
  | { readonly definitionShare: number }
  | { readonly usageShare: number }
  | { readonly anyOf: readonly Activation[] }

/** What the decision depends on. `definitionTokens` is a function because counting is slow. */
export interface ActivationFacts {
  readonly deferrableTools: number
  readonly allTools: number
  readonly definitionTokens: () => number
  readonly usedTokens: number
  readonly contextWindow: number
}

const AUTO_SHARE = 0.1

/** Whether deferral starts. Thresholds are inclusive. */
export function isActive(activation: Activation, facts: ActivationFacts): boolean {
  if (activation === 'never') return false
  if (activation === 'always') return true
  if (typeof activation === 'string')
    return isActive({ definitionShare: autoShare(activation) }, facts)
  if ('anyOf' in activation) return activation.anyOf.some((option) => isActive(option, facts))
  if ('toolCount' in activation) {
    // with deferral, a request also contains the search tool
    const count = activation.of === 'all' ? facts.allTools + 1 : facts.deferrableTools
    return count >= activation.toolCount
  }
  if ('usageShare' in activation) {
    return facts.usedTokens >= activation.usageShare * facts.contextWindow
  }
  return facts.definitionTokens() >= activation.definitionShare * facts.contextWindow
}

/** Whether deferral can start just because the conversation grows. */
export function dependsOnUsage(activation: Activation): boolean {
  if (typeof activation === 'string') return false
  return (
    'usageShare' in activation || ('anyOf' in activation && activation.anyOf.some(dependsOnUsage))
  )
}

/**
 * Parses a setting with the syntax of Claude Code's `ENABLE_TOOL_SEARCH` environment variable. A
 * variable that is not set means `always`. @throws InvalidActivationError, InvalidOptionError
 */
export function parseActivation(setting: string | undefined = ''): Activation {
  text(setting, 'setting')
  const word = setting.trim().toLowerCase()
  if (word === '' || word === 'true' || word === 'always') return 'always'
  if (word === 'false' || word === 'never') return 'never'
  autoShare(word)
  return word as Activation
}

/** Reports an invalid setting before it is used. @throws InvalidOptionError */
export const checkActivation: Check = (value, path) => {
  if (typeof value === 'string') {
    const isKnown = value === 'never' || value === 'always' || readAuto(value) !== undefined
    if (!isKnown)
      fail(value, path, 'use "never", "always", "auto", or "auto:N" with N from 0 to 100')
    return
  }
  const conditions = 'use "auto", "always", "never", or an object such as { toolCount: 15 }'
  if (!isObject(value)) fail(value, path, conditions)
  checkOptions(value, path, CONDITIONS)
  const given = KINDS.filter((kind) => value[kind] !== undefined)
  if (given.length === 0) fail(value, path, conditions)
  if (given.length > 1) fail(value, path, 'use one condition, or several in anyOf')
}

const KINDS = ['toolCount', 'definitionShare', 'usageShare', 'anyOf'] as const

const CONDITIONS: Shape = {
  toolCount: count(),
  of: oneOf({ deferrable: true, all: true }),
  definitionShare: share,
  usageShare: share,
  anyOf: (value, path) => {
    if (!Array.isArray(value)) fail(value, path, 'use an array of conditions')
    for (const [index, condition] of value.entries()) checkActivation(condition, `${path}.${index}`)
  },
}

/** `parseActivation` cannot parse a setting. */
export class InvalidActivationError extends ToolSearchError {
  override readonly name = 'InvalidActivationError'
  readonly code = 'invalid_activation'

  constructor(setting: string) {
    super(`Invalid activation "${setting}". Use true, false, auto, or auto:N with N from 0 to 100.`)
  }
}

function autoShare(text: string): number {
  const found = readAuto(text)
  if (found === undefined) throw new InvalidActivationError(text)
  return found
}

function readAuto(text: string): number | undefined {
  if (text === 'auto') return AUTO_SHARE
  const percent = /^auto:(\d{1,3}(?:\.\d+)?)$/.exec(text)?.[1]
  return percent === undefined || Number(percent) > 100 ? undefined : Number(percent) / 100
}
