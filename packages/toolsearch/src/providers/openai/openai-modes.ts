import type { Mode } from '../provider.ts'

/** How tools can be deferred with the Responses API. */
export type OpenaiMode = 'hosted' | 'client' | 'additional-tools' | 'append' | 'bridge'

export const openaiModes: Readonly<Record<OpenaiMode, Mode>> = {
  hosted: {
    search: 'theirs',
    reveal: 'messages',
    forcesListed: true,
    declares: true,
    needs: ['tool_search', 'defer_loading', 'namespace'],
    next: 'client',
  },
  client: {
    search: 'ours',
    reveal: 'messages',
    forcesListed: true,
    needs: ['tool_search', 'execution', 'defer_loading', 'additional_tools'],
    next: 'bridge',
  },
  'additional-tools': {
    search: 'ours',
    reveal: 'messages',
    forcesListed: true,
    needs: ['additional_tools'],
    next: 'bridge',
  },
  append: { search: 'ours', reveal: 'list', needs: [] },
  bridge: { search: 'ours', reveal: 'text', bridge: true, needs: [] },
}

/** Whether tools can be added by an item of their own. */
export function takesAdditionalTools(mode: string): boolean {
  return mode === 'client' || mode === 'additional-tools'
}

/** Before gpt-5.4, models know neither tool_search nor additional_tools. */
const TOO_OLD = /gpt-(?:3|4|5(?:\.[0-3])?(?![.\d]))|(?:^|[/:.])o\d/
const IS_GPT = /gpt-\d/

export function defaultMode(model: string | undefined): OpenaiMode {
  if (model === undefined) return 'client'
  return IS_GPT.test(model) && !TOO_OLD.test(model) ? 'client' : 'bridge'
}

export function modeRefusal(mode: string, model: string | undefined): string | undefined {
  if (model === undefined || openaiModes[mode as OpenaiMode].needs.length === 0) return undefined
  return TOO_OLD.test(model) ? `${model} does not know tools that are loaded later` : undefined
}
