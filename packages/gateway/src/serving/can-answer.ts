import type { JsonObject } from '../protocol/json-object.ts'

/** Whether a client that declares these capabilities can answer what a server asks. */
export function canAnswer(capabilities: JsonObject, method: string, params: JsonObject): boolean {
  if (method === 'sampling/createMessage') return capabilities.sampling !== undefined
  if (method === 'roots/list') return capabilities.roots !== undefined
  if (method !== 'elicitation/create') return false
  const modes = capabilities.elicitation as JsonObject | undefined
  if (modes === undefined) return false
  if (params.mode === 'url') return modes.url !== undefined
  // a client that names no modes is one from before there were two
  return modes.form !== undefined || Object.keys(modes).length === 0
}
