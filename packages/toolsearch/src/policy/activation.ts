import { ToolSearchError } from '../tool-search-error.ts'

/**
 * When deferral begins.
 *
 * - `{ toolCount }`: there are that many tools. `of: 'all'` counts every tool and the search tool.
 * - `{ definitionShare }`: the definitions that could be deferred fill that share of the window.
 * - `{ usageShare }`: the conversation so far fills that share of the window.
 * - `'auto'` is a share of definitions of 10 %, `'auto:5'` one of 5 %, as Claude Code writes them.
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

/** What the decision rests on. `definitionTokens` is a function because counting costs time. */
export interface ActivationFacts {
  readonly deferrableTools: number
  readonly allTools: number
  readonly definitionTokens: () => number
  readonly usedTokens: number
  readonly contextWindow: number
}

const AUTO_SHARE = 0.1

/** Every threshold counts as reached when it is met exactly. */
export function isActive(activation: Activation, facts: ActivationFacts): boolean {
  if (activation === 'never') return false
  if (activation === 'always') return true
  if (typeof activation === 'string')
    return isActive({ definitionShare: autoShare(activation) }, facts)
  if ('anyOf' in activation) return activation.anyOf.some((one) => isActive(one, facts))
  if ('toolCount' in activation) {
    // the search tool is one of the tools of a request
    const count = activation.of === 'all' ? facts.allTools + 1 : facts.deferrableTools
    return count >= activation.toolCount
  }
  if ('usageShare' in activation) {
    return facts.usedTokens >= activation.usageShare * facts.contextWindow
  }
  return facts.definitionTokens() >= activation.definitionShare * facts.contextWindow
}

/** Whether deferral can begin because the conversation has grown, with the tools unchanged. */
export function dependsOnUse(activation: Activation): boolean {
  if (typeof activation === 'string') return false
  return (
    'usageShare' in activation || ('anyOf' in activation && activation.anyOf.some(dependsOnUse))
  )
}

/** A setting from the environment, in the words of Claude Code's `ENABLE_TOOL_SEARCH`. */
export function parseActivation(setting: string): Activation {
  const text = setting.trim().toLowerCase()
  if (text === '' || text === 'true' || text === 'always') return 'always'
  if (text === 'false' || text === 'never') return 'never'
  autoShare(text)
  return text as Activation
}

/** Finds a setting that means nothing before it is needed. @throws InvalidActivationError */
export function checkActivation(activation: Activation): void {
  if (typeof activation === 'object' && 'anyOf' in activation) {
    for (const one of activation.anyOf) checkActivation(one)
  } else if (typeof activation === 'string' && activation !== 'never' && activation !== 'always') {
    autoShare(activation)
  }
}

/** The setting says neither when nor whether to defer. */
export class InvalidActivationError extends ToolSearchError {
  override readonly name = 'InvalidActivationError'
  readonly code = 'invalid_activation'

  constructor(setting: string) {
    super(`Activation is "${setting}"; use true, false, auto, or auto:N with N from 0 to 100.`)
  }
}

function autoShare(text: string): number {
  if (text === 'auto') return AUTO_SHARE
  const percent = /^auto:(\d{1,3}(?:\.\d+)?)$/.exec(text)?.[1]
  if (percent === undefined || Number(percent) > 100) throw new InvalidActivationError(text)
  return Number(percent) / 100
}
