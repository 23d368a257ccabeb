import type { Node } from 'jsonc-parser'
import type { ConfigReader, Place } from './config-reader.ts'
import type { GatewayConfig, ScriptsConfig } from './gateway-config.ts'
import { SCRIPT_RULES } from './rules/script-rules.ts'

/** Reads whether agents can run scripts, and what a script may use. */
export function readScripts(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): Pick<GatewayConfig, 'scripts'> {
  if (!node || (node.type === 'boolean' && node.value === false)) return {}
  if (node.type !== 'boolean' && node.type !== 'object') {
    reader.report(node, `${place.label} must be a boolean or an object.`, 'Write true or { … }.')
    return {}
  }
  const given = reader.object(node.type === 'object' ? node : undefined, place, SCRIPT_RULES)
  const { properties } = SCRIPT_RULES
  const keys = Object.keys(properties) as (keyof ScriptsConfig)[]
  const bounds = keys.map((key) => [key, given.get(key) ?? properties[key].default!] as const)
  return { scripts: Object.fromEntries(bounds) as Record<keyof ScriptsConfig, number> }
}
