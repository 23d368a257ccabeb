import type { Mode } from './provider.ts'

/** The modes that work with every endpoint. */
export const universalModes: Readonly<Record<'append' | 'bridge' | 'stub', Mode>> = {
  append: { search: 'own', reveal: 'list', requires: [] },
  bridge: { search: 'own', reveal: 'call-tool', requires: [] },
  stub: { search: 'own', reveal: 'stub', requires: [] },
}

/** Whether requests carry the definitions of hidden tools, marked as deferred. */
export function declaresDeferred({ search, reveal }: Mode): boolean {
  return search === 'provider' || reveal === 'reference'
}

/** Whether requests list `call_tool`. With stubs, it is for tools that were added later. */
export function listsCallTool({ reveal }: Mode): boolean {
  return reveal === 'call-tool' || reveal === 'stub'
}
