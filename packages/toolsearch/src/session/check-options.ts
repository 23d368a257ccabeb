import {
  type Check,
  callback,
  check,
  checkOptions,
  fail,
  flag,
  limit,
  name,
  names,
  number,
  readNames,
  text,
} from '../options/check-option.ts'
import type { Ranker } from '../ranking/ranker.ts'
import type { SearchReasons } from '../tool-search/run-search.ts'
import type { SessionSearchOptions, TurnOptions } from './session.ts'
import type { ToolAccess } from './tool-division.ts'

const reasons = {
  explain: flag,
  nearMisses: limit,
} satisfies Record<keyof SearchReasons, Check>

const SEARCH = { ...reasons, limit }
const SESSION_SEARCH = {
  ...SEARCH,
  result: callback,
} satisfies Record<keyof SessionSearchOptions, Check>

const TURN = {
  usedTokens: number(),
  canSearch: flag,
  toolChoice: text,
  appendOnly: check((value) => typeof value === 'object', 'use an object'),
} satisfies Record<keyof TurnOptions, Check>

/** Checks a query and the options of `toolSearch.search`. @throws InvalidOptionError */
export function checkSearch(query: unknown, options: unknown): void {
  text(query, 'query')
  checkOptions(options, 'options', SEARCH)
}

/** @throws InvalidOptionError */
export function checkExplain(query: unknown, tool: unknown, options: unknown): void {
  text(query, 'query')
  text(tool, 'name')
  // `visible` is checked when it is read
  checkOptions(options, 'options', { limit, visible: () => {} })
}

/** @throws InvalidOptionError */
export function checkSessionSearch(options: unknown): void {
  checkOptions(options, 'options', SESSION_SEARCH)
}

/** @throws InvalidOptionError */
export function checkTurn(options: unknown): void {
  checkOptions(options, 'options', TURN)
}

/** @throws InvalidOptionError */
export function checkNames(value: unknown): void {
  names(value, 'names')
}

/** @throws InvalidOptionError */
export function checkMessages(value: unknown): void {
  list(value, 'messages')
}

/** @throws InvalidOptionError */
export function checkDefinitions(value: unknown): void {
  list(value, 'definitions')
}

/** @throws InvalidOptionError */
export function checkFork(id: unknown, options: unknown): void {
  checkSessionId(id)
  checkOptions(options, 'options', { loaded: flag })
}

/** @throws InvalidOptionError */
export function checkSessionId(id: unknown): void {
  name(id, 'id')
}

/** @throws InvalidOptionError if `preset.ranker` returned something else */
export function checkRanker(ranker: Ranker): void {
  const methods = ['set', 'delete', 'rank'] as const
  if (!methods.every((method) => typeof ranker?.[method] === 'function')) {
    fail(ranker, 'the result of ranker()', 'return an object with set, delete and rank')
  }
}

const list = check(Array.isArray, 'use an array')

const VISIBLE = 'use an array or a set of tool names, or a function, or leave the option out'

/** Who may use what. An explicit `undefined` is an error: it must not open every tool. */
export function readAccess(options: { readonly visible?: unknown }): ToolAccess | undefined {
  if (!Object.hasOwn(options, 'visible')) return undefined
  const { visible } = options
  if (typeof visible === 'function') return { isAllowed: visible as ToolAccess['isAllowed'] }
  const names = readNames(visible, 'visible', VISIBLE)
  return {
    names: [...names].sort(),
    isAllowed: (tool) => names.has(tool.name),
    isAllowedName: (one) => names.has(one),
  }
}

/** The sources whose problems a caller may see; undefined if the caller did not say. */
export function readSources(options: {
  readonly visibleSources?: unknown
}): ReadonlySet<string> | undefined {
  if (!Object.hasOwn(options, 'visibleSources')) return undefined
  const fix = 'use an array or a set of source names, or leave the option out'
  return readNames(options.visibleSources, 'visibleSources', fix)
}
