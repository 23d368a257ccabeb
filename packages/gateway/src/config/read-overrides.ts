import type { Node } from 'jsonc-parser'
import { type ConfigReader, nestedPlace, type Place, quote } from './config-reader.ts'
import type { AnnotationOverride, FixedParameter, ToolOverride } from './gateway-config.ts'
import { ANNOTATION_RULES, OVERRIDE_RULES, PARAMETER_RULES } from './rules/override-rules.ts'
import { withoutMissing } from './without-missing.ts'

/** Reads `overrides` of a server. Whether the tools and parameters exist is known once it connects. */
export function readOverrides(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): Record<string, ToolOverride> {
  const overrides = reader
    .entries(node, place.label)
    .map(({ key, value }) => [key, readOverride(reader, value, nestedPlace(place, key))] as const)
  return Object.fromEntries(overrides)
}

function readOverride(reader: ConfigReader, node: Node, place: Place): ToolOverride {
  const override = reader.object(node, place, OVERRIDE_RULES)
  return withoutMissing<ToolOverride>({
    name: override.get('name'),
    title: override.get('title'),
    description: override.get('description'),
    annotations: readAnnotations(
      reader,
      override.node('annotations'),
      nestedPlace(place, 'annotations'),
    ),
    parameters: readParameters(
      reader,
      override.node('parameters'),
      nestedPlace(place, 'parameters'),
    ),
  })
}

function readAnnotations(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): AnnotationOverride | undefined {
  if (!node) return undefined
  const annotations = reader.object(node, place, ANNOTATION_RULES)
  return withoutMissing<AnnotationOverride>({
    readOnlyHint: annotations.get('readOnlyHint'),
    destructiveHint: annotations.get('destructiveHint'),
    idempotentHint: annotations.get('idempotentHint'),
    openWorldHint: annotations.get('openWorldHint'),
  })
}

function readParameters(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): Record<string, FixedParameter> | undefined {
  if (!node) return undefined
  const parameters = reader.entries(node, place.label).flatMap(({ key, keyNode, value }) => {
    const parameter = reader.object(value, nestedPlace(place, key), PARAMETER_RULES)
    // `null` is a value too, so only the key tells whether there is one
    if (parameter.has('value')) return [[key, { value: parameter.get('value')! }] as const]
    if (value.type === 'object') {
      const message = `${quote(key)} in ${place.label} has no value.`
      reader.report(keyNode, message, 'Write { "value": … }, which every call sends.')
    }
    return []
  })
  return Object.fromEntries(parameters)
}
