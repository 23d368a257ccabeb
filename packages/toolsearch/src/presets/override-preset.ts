import type { Preset } from './preset.ts'

/** Choices that take the place of a preset's. A group may be given in part. */
export interface PresetOverrides {
  activation?: Preset['activation']
  ranker?: Preset['ranker']
  loading?: Preset['loading']
  result?: Preset['result']
  unloadedCalls?: Preset['unloadedCalls']
  rateLimit?: NonNullable<Preset['rateLimit']>
  deferral?: Preset['deferral']
  searchTool?: Partial<Preset['searchTool']>
  syntax?: Partial<Preset['syntax']>
  selection?: Partial<Preset['selection']>
  announcement?: Partial<Preset['announcement']>
}

export function overridePreset(preset: Preset, given: PresetOverrides): Preset {
  const rateLimit = given.rateLimit ?? preset.rateLimit
  return {
    preset: preset.preset,
    activation: given.activation ?? preset.activation,
    ranker: given.ranker ?? preset.ranker,
    loading: given.loading ?? preset.loading,
    result: given.result ?? preset.result,
    unloadedCalls: given.unloadedCalls ?? preset.unloadedCalls,
    ...(rateLimit && { rateLimit }),
    deferral: { ...preset.deferral, ...given.deferral },
    searchTool: { ...preset.searchTool, ...given.searchTool },
    syntax: { ...preset.syntax, ...given.syntax },
    selection: { ...preset.selection, ...given.selection },
    announcement: { ...preset.announcement, ...given.announcement },
  }
}
