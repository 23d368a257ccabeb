import type { ListingStyle } from '../announcement/format-tool-list.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { Activation } from '../policy/activation.ts'
import type { DeferralPolicy } from '../policy/deferral.ts'
import type { Ranker } from '../ranking/ranker.ts'
import type { LoadingMode } from '../stores/stored-session.ts'
import type { SearchBehaviour } from '../tool-search/search-behaviour.ts'
import type { Reveal } from '../transcript/reveal.ts'

/** A complete configuration: how to defer, announce, search and load tools. */
export interface Preset extends SearchBehaviour {
  readonly preset: string
  readonly activation: Activation
  readonly deferral: DeferralPolicy
  /** Creates a new ranker on each call: one for the shared tools, and one for each private set. */
  readonly ranker: () => Ranker
  readonly loading: LoadingMode
  readonly announcement: Announcement
  /**
   * How the system gives found tools to the model. An adapter uses a mode that does the same.
   * @default the best mode of the provider; with stubs in the announcement, `stub`
   */
  readonly reveal?: Reveal
  /**
   * Send the search tool even before there is anything to find.
   * @default false
   */
  readonly alwaysOffersSearch?: boolean
}

/** How the model learns which hidden tools exist. */
export interface Announcement {
  /** What the list contains for each hidden tool. */
  readonly style: ListingStyle
  /**
   * `fixed`: every request repeats the first list byte for byte; changes are appended as a notice.
   * `live`: every request contains an up-to-date list, where found tools change the tool list anyway
   * (`reveal: 'list'`, mode `append` of adapters). Elsewhere, the list is fixed.
   */
  readonly placement: 'fixed' | 'live'
  /**
   * Maximum number of tokens of the list. Beyond that, the most expensive sources are shortened.
   * @default 4_000
   */
  readonly budget?: number
  /** The system prompt block that contains the list. Return an empty string for no block. */
  readonly text: (list: string, searchToolName: string) => string
  /**
   * Keep hidden tools in the request with a stub schema that accepts any arguments.
   * `note` is the stub's description: it can tell the model how to get the real schema.
   * @default no stubs: hidden tools are absent from the request
   */
  readonly stubs?: { readonly note?: (tool: Tool, searchToolName: string) => string }
}

/**
 * Replaces parts of a preset. Grouped settings such as `selection` can be overridden partially. For all
 * others, pass a copy of a preset.
 */
export interface PresetOverrides {
  activation?: Preset['activation']
  ranker?: Preset['ranker']
  loading?: Preset['loading']
  result?: Preset['result']
  unloadedCalls?: Preset['unloadedCalls']
  rateLimit?: NonNullable<Preset['rateLimit']>
  deferral?: Preset['deferral']
  searchTool?: Partial<Pick<Preset['searchTool'], 'name' | 'description'>>
  selection?: Partial<Preset['selection']>
  announcement?: Partial<Pick<Preset['announcement'], 'style' | 'budget'>>
}

/** Explicit `undefined` means that a setting is not overridden. */
export function overridePreset(preset: Preset, overrides: PresetOverrides): Preset {
  const { activation, ranker, loading, result, unloadedCalls, rateLimit } = overrides
  return {
    ...preset,
    ...given({ activation, ranker, loading, unloadedCalls, rateLimit }),
    // the option applies everywhere, even if it is the format of another preset
    ...(result && { result: (outcome, context) => result(outcome, context) }),
    deferral: { ...preset.deferral, ...given(overrides.deferral) },
    searchTool: { ...preset.searchTool, ...given(overrides.searchTool) },
    selection: { ...preset.selection, ...given(overrides.selection) },
    announcement: { ...preset.announcement, ...given(overrides.announcement) },
  }
}

function given<Settings extends object>(settings: Settings | undefined): Given<Settings> {
  const entries = Object.entries(settings ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Given<Settings>
}

type Given<Settings> = { [Name in keyof Settings]?: NonNullable<Settings[Name]> }

/** Freezes a preset and everything in it, so that no program can change it for all others. */
export function freezePreset(preset: Preset): Preset {
  return deepFreeze(preset)
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const child of Object.values(value)) deepFreeze(child)
  return Object.freeze(value)
}
