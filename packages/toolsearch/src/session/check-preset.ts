import type { ListingStyle } from '../announcement/format-tool-list.ts'
import type { Execution, Loading } from '../catalogue/tool.ts'
import { isObject } from '../is-object.ts'
import {
  type Check,
  callback,
  check,
  complete,
  count,
  flag,
  name,
  names,
  number,
  oneOf,
  options,
  record,
  share,
  text,
} from '../options/check-option.ts'
import { checkActivation } from '../policy/activation.ts'
import type { DeferralPolicy } from '../policy/deferral.ts'
import type { LoadingMode } from '../stores/stored-session.ts'
import type { ConfidenceThresholds } from '../tool-search/confidence.ts'
import type { SearchTool, Selection } from '../tool-search/search-behaviour.ts'
import { checkReveal } from './check-options.ts'
import type { Announcement, Preset, PresetOverrides } from './preset.ts'

/** Checks a preset, also one of your own. @throws InvalidOptionError */
export const checkPreset: Check = (value, path) => {
  if (typeof value === 'string') {
    check(() => false, `import the preset and pass it: import { ${value} } from 'toolsearch'`)(
      value,
      path,
    )
  }
  complete(PRESET, ['rateLimit', 'skills', 'alwaysOffersSearch', 'reveal'])(value, path)
}

const loading = oneOf<Loading>({ auto: true, eager: true, deferred: true })
const eagerness = oneOf({ eager: true, deferred: true })

const DEFERRAL = {
  alwaysOn: names,
  sources: record(loading),
  mcp: eagerness,
  others: eagerness,
} satisfies Record<keyof DeferralPolicy, Check>

const SEARCH_TOOL = {
  name,
  description: text,
  inputSchema: check(isObject, 'use a JSON Schema object'),
  title: text,
  annotations: check(isObject, 'use an object of MCP tool annotations'),
  metadata: check(isObject, 'use an object'),
  execution: oneOf<Execution>({ parallel: true, sequential: true }),
} satisfies Record<keyof SearchTool, Check>

const CONFIDENCE = {
  sure: share,
  doubtful: share,
} satisfies Record<keyof ConfidenceThresholds, Check>

/** Where people find settings that only a preset has. */
function inPreset(names: string, group?: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((setting) => [setting, hint(setting)]))

  function hint(setting: string): string {
    const value = group === undefined ? setting : `${group}: { ...unified.${group}, ${setting} }`
    return `A preset decides it: pass { preset: { ...unified, ${value} } }.`
  }
}

/** For options of earlier versions. */
const FINDERS = inPreset('finders').finders!
const ARGUMENTS = inPreset('readArguments').readArguments!

const SELECTION = {
  defaultLimit: count(),
  maxLimit: count(),
  band: share,
  confidence: complete(CONFIDENCE),
} satisfies Record<keyof Selection, Check>

const ANNOUNCEMENT = {
  style: oneOf<ListingStyle>({ none: true, names: true, hints: true, lines: true }),
  placement: oneOf<Announcement['placement']>({ fixed: true, live: true }),
  budget: number(),
  text: callback,
  stubs: options({ note: callback }),
} satisfies Record<keyof Announcement, Check>

const ranker = check(
  (value) => typeof value === 'function',
  'use a function that returns a new ranker, such as () => fieldedRanker()',
)

const finders = check(
  (value) => Array.isArray(value) && value.every((finder) => typeof finder === 'function'),
  'use a list of functions, such as those of another preset',
)

/** Settings that a preset and its overrides have in common. */
const SETTINGS = {
  activation: checkActivation,
  ranker,
  loading: oneOf<LoadingMode>({ sticky: true, 'until-compaction': true, none: true }),
  result: callback,
  unloadedCalls: oneOf<Preset['unloadedCalls']>({ answer: true, allow: true }),
  rateLimit: complete({ calls: count(), windowMs: number() }),
  deferral: options(DEFERRAL),
}

const PRESET = {
  ...SETTINGS,
  preset: name,
  searchTool: complete(SEARCH_TOOL, ['title', 'annotations', 'metadata', 'execution']),
  readArguments: callback,
  readQuery: callback,
  finders,
  selection: complete(SELECTION),
  skills: flag,
  alwaysOffersSearch: flag,
  announcement: complete(ANNOUNCEMENT, ['budget', 'stubs']),
  reveal: checkReveal,
} satisfies Record<keyof Preset, Check>

/** The checks for `createToolSearch`'s overrides of a preset. */
export const PRESET_OVERRIDES: Readonly<Record<keyof PresetOverrides, Check>> &
  Readonly<Record<string, Check | string>> = {
  ...SETTINGS,
  searchTool: options({
    name: SEARCH_TOOL.name,
    description: SEARCH_TOOL.description,
    ...inPreset('inputSchema title annotations metadata execution', 'searchTool'),
  }),
  selection: options({
    ...SELECTION,
    ties: FINDERS,
    searched: FINDERS,
    placesForAlwaysOn: FINDERS,
    selectCap: FINDERS,
    minLimit: ARGUMENTS,
    limitArguments: ARGUMENTS,
    badLimit: ARGUMENTS,
  }),
  announcement: options({
    style: ANNOUNCEMENT.style,
    budget: ANNOUNCEMENT.budget,
    ...inPreset('placement text stubs', 'announcement'),
    lineLength: 'A line has 120 characters.',
    keepSearchTool: 'It stays once deferral has started.',
  }),
  ...inPreset('finders readQuery readArguments reveal skills alwaysOffersSearch'),
  syntax: FINDERS,
}
