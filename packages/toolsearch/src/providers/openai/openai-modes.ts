import { universalModes } from '../modes.ts'
import type { Mode } from '../provider.ts'

/** The ways to defer tools with the Responses API. */
export type OpenaiMode = 'hosted' | 'client' | 'append' | 'bridge' | 'stub'

export const openaiModes: Readonly<Record<OpenaiMode, Mode>> = {
  hosted: {
    search: 'provider',
    reveal: 'definition',
    requires: ['tool_search', 'defer_loading', 'namespace', 'additional_tools'],
    fallback: 'client',
  },
  client: {
    search: 'own',
    reveal: 'definition',
    requires: ['tool_search', 'execution', 'defer_loading', 'additional_tools'],
    fallback: 'bridge',
  },
  ...universalModes,
}

/** Models before gpt-5.4 support neither tool_search nor additional_tools. */
const WITHOUT_DEFERRAL = /gpt-(?:3|4|5(?:\.[0-3])?(?![.\d]))|(?:^|[/:.])o\d/
const IS_GPT = /gpt-\d/

export function defaultMode(model: string | undefined): OpenaiMode {
  if (model === undefined) return 'client'
  return IS_GPT.test(model) && !WITHOUT_DEFERRAL.test(model) ? 'client' : 'bridge'
}

export function unsupportedReason(mode: string, model: string | undefined): string | undefined {
  if (model === undefined || openaiModes[mode as OpenaiMode].requires.length === 0) {
    return undefined
  }
  return WITHOUT_DEFERRAL.test(model) ? `${model} does not support deferred tools` : undefined
}
