import type { Node } from 'jsonc-parser'
import type { ConfigReader, Place } from './config-reader.ts'
import type { EmbedderConfig } from './gateway-config.ts'
import { EMBEDDER_RULES } from './rules/setting-rules.ts'

/** Reads the `embedder` of the gateway. Undefined if it is incomplete, which is then a problem. */
export function readEmbedder(
  reader: ConfigReader,
  node: Node,
  place: Place,
): EmbedderConfig | undefined {
  const embedder = reader.object(node, place, EMBEDDER_RULES)
  for (const key of (['url', 'model'] as const).filter((key) => !embedder.has(key))) {
    reader.report(node, `${place.label} has no ${key}.`, `Add "${key}": "…".`)
  }
  const url = embedder.get('url')
  const model = embedder.get('model')
  const apiKey = embedder.get('apiKey')
  const centred = embedder.get('centred') ?? EMBEDDER_RULES.properties.centred.default!
  if (url === undefined || model === undefined) return undefined
  return { url, model, ...(apiKey !== undefined && { apiKey }), centred }
}
