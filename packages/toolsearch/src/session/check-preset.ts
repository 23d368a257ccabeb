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
import type { RequiredScope } from '../ranking/has-required-terms.ts'
import type { TieBreak } from '../ranking/ranker.ts'
import type { LoadingMode } from '../stores/ledger.ts'
import type { ConfidenceThresholds } from '../tool-search/confidence.ts'
import type { SearchSyntax, SearchTool, Selection } from '../tool-search/search-behaviour.ts'
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
  complete(PRESET, ['rateLimit', 'reveal', 'resultIn'])(value, path)
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

const SYNTAX = {
  select: flag,
  required: flag,
  punctuation: oneOf<NonNullable<SearchSyntax['punctuation']>>({ strip: true, keep: true }),
  exactName: flag,
  namesInQuery: flag,
  namePrefix: oneOf<SearchSyntax['namePrefix']>({ never: true, qualified: true, any: true }),
  requiredScope: oneOf<RequiredScope>({
    name: true,
    'name+description': true,
    'name+description+hint': true,
    all: true,
  }),
  blank: oneOf<SearchSyntax['blank']>({ error: true, empty: true, browse: true }),
  badQuery: oneOf<SearchSyntax['badQuery']>({ error: true, blank: true }),
} satisfies Record<keyof SearchSyntax, Check>

const CONFIDENCE = {
  sure: share,
  doubtful: share,
} satisfies Record<keyof ConfidenceThresholds, Check>

const SELECTION = {
  defaultLimit: count(),
  minLimit: count(),
  maxLimit: count(),
  limitArguments: names,
  badLimit: oneOf<Selection['badLimit']>({ default: true, error: true }),
  ties: oneOf<TieBreak>({ name: true, catalogue: true }),
  searched: oneOf<Selection['searched']>({ visible: true, deferrable: true }),
  skills: flag,
  placesForAlwaysOn: flag,
  band: share,
  confidence: complete(CONFIDENCE),
  selectCap: count(),
} satisfies Record<keyof Selection, Check>

const ANNOUNCEMENT = {
  style: oneOf<ListingStyle>({ none: true, names: true, hints: true, lines: true }),
  placement: oneOf<Announcement['placement']>({ fixed: true, live: true }),
  budget: number(),
  lineLength: number(),
  text: callback,
  stubs: options({ note: callback }),
  keepSearchTool: flag,
} satisfies Record<keyof Announcement, Check>

const ranker = check(
  (value) => typeof value === 'function',
  'use a function that returns a new ranker, such as () => fieldedRanker()',
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
  syntax: complete(SYNTAX, ['select', 'required', 'punctuation', 'namesInQuery']),
  selection: complete(SELECTION, ['skills']),
  announcement: complete(ANNOUNCEMENT, ['budget', 'lineLength', 'stubs', 'keepSearchTool']),
  reveal: checkReveal,
  resultIn: oneOf<NonNullable<Preset['resultIn']>>({ lists: true, schemas: true, always: true }),
} satisfies Record<keyof Preset, Check>

/** The checks for `createToolSearch`'s overrides of a preset. */
export const PRESET_OVERRIDES: Readonly<Record<keyof PresetOverrides, Check>> = {
  ...SETTINGS,
  searchTool: options(SEARCH_TOOL),
  syntax: options(SYNTAX),
  selection: options(SELECTION),
  announcement: options(ANNOUNCEMENT),
}
