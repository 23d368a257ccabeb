import type { JsonSchema } from 'toolsearch'

/** Properties of an object schema, by name. */
export type Properties = Readonly<Record<string, JsonSchema>>

/** A string. */
export function text(description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', description, ...more }
}

/** A whole number. */
export function integer(description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'integer', description, ...more }
}

/** Yes or no. */
export function flag(description: string, fallback?: boolean): JsonSchema {
  return { type: 'boolean', description, ...(fallback !== undefined && { default: fallback }) }
}

/** A string out of a fixed set. */
export function choice(
  values: readonly string[],
  description: string,
  fallback?: string,
): JsonSchema {
  return {
    type: 'string',
    enum: values,
    description,
    ...(fallback !== undefined && { default: fallback }),
  }
}

/** An array whose entries all follow one schema. */
export function list(items: JsonSchema, description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'array', description, items, ...more }
}

/** An object that takes these properties and no others. */
export function object(
  properties: Properties,
  required: readonly string[] = [],
  description?: string,
): JsonSchema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** A description of several lines, as servers write them. */
export function lines(...parts: readonly string[]): string {
  return parts.join('\n')
}
