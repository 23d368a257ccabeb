import {
  abortSignal,
  anything,
  type Check,
  callback,
  check,
  checkOptions,
  fail,
  flag,
  options as group,
  limit,
  name,
  names,
  number,
  oneOf,
  readNames,
  type Shape,
  text,
} from '../options/check-option.ts'
import type { Ranker } from '../ranking/ranker.ts'
import type { SearchReasons } from '../tool-search/finders/finder.ts'
import type { Reveal } from '../transcript/reveal.ts'
import type { SessionSearchOptions, TurnOptions } from './session.ts'
import type { AnswerOptions, RunOptions } from './session-calls.ts'
import type { ToolAccess } from './tool-division.ts'

/** Checks a value that a method was called with. @throws InvalidOptionError */
type CheckArgument = (value: unknown) => void

const optionsOf =
  (shape: Shape): CheckArgument =>
  (options) =>
    checkOptions(options, 'options', shape)

const REASONS = {
  explain: flag,
  nearMisses: limit,
} satisfies Record<keyof SearchReasons, Check>

export const checkReveal: Check = oneOf<Reveal>({
  list: true,
  'call-tool': true,
  stub: true,
  reference: true,
  definition: true,
})

const APPEND_ONLY = {
  revealed: check(
    (value) => value instanceof Set || value === 'loaded',
    'use a set of tool names, or "loaded"',
  ),
  reveal: checkReveal,
  places: callback,
  delaysNotice: flag,
} satisfies Record<keyof NonNullable<TurnOptions['appendOnly']>, Check>

export const checkTurn: CheckArgument = optionsOf({
  usedTokens: number(),
  canSearch: flag,
  toolChoice: text,
  expect: text,
  appendOnly: group(APPEND_ONLY),
} satisfies Record<keyof TurnOptions, Check>)

export const checkSessionSearch: CheckArgument = optionsOf({
  ...REASONS,
  limit,
  loadsCandidates: flag,
  person: text,
  result: callback,
} satisfies Record<keyof SessionSearchOptions, Check>)

export const checkAnswer: CheckArgument = optionsOf({
  result: callback,
  loadsCalled: flag,
} satisfies Record<keyof AnswerOptions, Check>)

export const checkRun: CheckArgument = optionsOf({
  signal: abortSignal,
} satisfies Record<keyof RunOptions, Check>)

const checkSearchOptions = optionsOf({ ...REASONS, limit, person: text })
// `visible` is checked when it is read
const checkExplainOptions = optionsOf({ limit, visible: anything, person: text })
const checkForkOptions = optionsOf({ loaded: flag })

/** Checks a query and the options of `toolSearch.search`. @throws InvalidOptionError */
export function checkSearch(query: unknown, options: unknown): void {
  text(query, 'query')
  checkSearchOptions(options)
}

/** @throws InvalidOptionError */
export function checkExplain(query: unknown, tool: unknown, options: unknown): void {
  text(query, 'query')
  text(tool, 'name')
  checkExplainOptions(options)
}

/** @throws InvalidOptionError */
export function checkFork(id: unknown, options: unknown): void {
  checkSessionId(id)
  checkForkOptions(options)
}

const list = check(Array.isArray, 'use an array')

export const checkNames: CheckArgument = (value) => names(value, 'names')
export const checkMessages: CheckArgument = (value) => list(value, 'messages')
export const checkDefinitions: CheckArgument = (value) => list(value, 'definitions')
export const checkSessionId: CheckArgument = (value) => name(value, 'id')

/** @throws InvalidOptionError if `preset.ranker` returned something else */
export function checkRanker(ranker: Ranker): void {
  const methods = ['set', 'delete', 'rank'] as const
  if (!methods.every((method) => typeof ranker?.[method] === 'function')) {
    fail(ranker, 'the result of ranker()', 'return an object with set, delete and rank')
  }
}

const VISIBLE = 'use an array or a set of tool names, or a function, or leave the option out'

/**
 * Reads the `visible` option. An explicit `undefined` is an error, so that a missing list cannot open
 * every tool. @throws InvalidOptionError
 */
export function readAccess(options: { readonly visible?: unknown }): ToolAccess | undefined {
  if (!Object.hasOwn(options, 'visible')) return undefined
  const { visible } = options
  if (typeof visible === 'function') {
    return {
      isAllowed(tool) {
        const isAllowed: unknown = visible(tool)
        // a promise is truthy, so it would open every tool
        if (typeof isAllowed !== 'boolean') {
          fail(isAllowed, 'the result of visible()', 'return true or false')
        }
        return isAllowed
      },
    }
  }
  const names = readNames(visible, 'visible', VISIBLE)
  return {
    names: [...names].sort(),
    isAllowed: (tool) => names.has(tool.name),
    isAllowedName: (one) => names.has(one),
  }
}

/** Reads the `visibleSources` option; undefined if it was left out. @throws InvalidOptionError */
export function readSources(options: {
  readonly visibleSources?: unknown
}): ReadonlySet<string> | undefined {
  if (!Object.hasOwn(options, 'visibleSources')) return undefined
  const fix = 'use an array or a set of source names, or leave the option out'
  return readNames(options.visibleSources, 'visibleSources', fix)
}
