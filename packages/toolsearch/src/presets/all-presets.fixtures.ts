import type { Preset } from '../session/preset.ts'
import { claudeCode, claudeCodeWiki } from './claude-code/claude-code.ts'
import { cortex } from './cortex/cortex.ts'
import { dirge } from './dirge/dirge.ts'
import { everruns, everrunsLatest } from './everruns/everruns.ts'
import { nexo } from './nexo/nexo.ts'
import { unified } from './unified/unified.ts'

/** The presets that tests of sessions, adapters and tenants run with. */
export const allPresets: readonly Preset[] = [
  unified,
  nexo,
  claudeCode,
  claudeCodeWiki,
  everruns,
  everrunsLatest,
  dirge,
  cortex,
]
