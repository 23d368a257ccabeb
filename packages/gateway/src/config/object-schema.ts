import type { ObjectRules, Property } from './rules/object-rules.ts'

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** The JSON Schema of an object, by the rules of the reader. */
export function objectSchema<Shape extends object>(rules: ObjectRules<Shape>): Schema {
  const known = Object.entries<Property>(rules.properties)
  const ignored = (rules.ignored ?? []).map((key) => [
    key,
    {
      description:
        key === '$schema'
          ? 'The URL of this schema, for editors.'
          : 'Used by other MCP clients. The gateway ignores it.',
    },
  ])
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(known.map(([key, property]) => [key, propertySchema(property)])),
      ...Object.fromEntries(ignored),
    },
    additionalProperties: false,
  }
}

function propertySchema(property: Property): Schema {
  const { description } = property
  const fallback = 'default' in property && { default: property.default }
  switch (property.kind) {
    case 'boolean':
      return { description, type: 'boolean', ...fallback }
    case 'integer': {
      const { min, max } = property
      return { description, type: 'integer', minimum: min, maximum: max, ...fallback }
    }
    case 'choice':
      return { description, enum: property.choices, ...fallback }
    case 'text': {
      const { url, pattern, isLiteral, isEmptyAllowed } = property
      const form = url && { anyOf: [{ pattern: url.source }, { pattern: '^\\$\\{' }] }
      return {
        description,
        ...(isLiteral ? STRING : TEXT),
        ...(!isEmptyAllowed && { minLength: 1 }),
        ...(pattern && { pattern: pattern.source }),
        ...form,
      }
    }
    case 'list': {
      const { isExpanded, itemPattern, maxItemLength, isNeverEmpty } = property
      const items = {
        ...(isExpanded ? TEXT : STRING),
        ...(maxItemLength !== undefined && { maxLength: maxItemLength }),
        ...(itemPattern && { pattern: itemPattern.source }),
      }
      return { description, type: 'array', ...(isNeverEmpty && { minItems: 1 }), items }
    }
    case 'map': {
      const { isExpanded, keyPattern, valuePattern, takesNumbers, takesPersonValues } = property
      const value = {
        ...(takesPersonValues ? TEXT_WITH_PERSON : isExpanded ? TEXT : STRING),
        ...(valuePattern && { pattern: valuePattern.source }),
      }
      return {
        description,
        type: 'object',
        ...(keyPattern && { propertyNames: { pattern: keyPattern.source } }),
        additionalProperties: takesNumbers ? { anyOf: [value, { type: 'number' }] } : value,
      }
    }
    case 'objects': {
      const items = { $ref: `#/$defs/${property.definition}` }
      return { description, type: 'array', items }
    }
    case 'any':
      return { description }
    case 'object':
      return { description, $ref: `#/$defs/${property.definition}` }
  }
}

const TEXT: Schema = { $ref: '#/$defs/text' }
const TEXT_WITH_PERSON: Schema = { $ref: '#/$defs/textWithPerson' }
const STRING: Schema = { type: 'string' }
