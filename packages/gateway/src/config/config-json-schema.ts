import {
  ANNOTATION_RULES,
  EMBEDDER_RULES,
  LIMIT_RULES,
  OAUTH_RULES,
  type ObjectRules,
  OVERRIDE_RULES,
  PARAMETER_RULES,
  type Property,
  ROOT_RULES,
  SERVER_RULES,
  SERVER_SETTING_RULES,
  SETTING_RULES,
} from './config-rules.ts'
import { EXPANDABLE } from './expand-variables.ts'
import { COMMAND_WITH_ARGS } from './read-server.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * The JSON Schema of a configuration file, for editors. Keys, types, defaults and descriptions come
 * from the rules of the reader; this file adds the conditions that involve several keys.
 */
export function configJsonSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://unpkg.com/toolsearch-gateway/config-schema.json',
    title: 'toolsearch gateway',
    description: 'MCP servers behind one gateway. Comments and trailing commas are allowed.',
    ...objectSchema(ROOT_RULES),
    anyOf: [
      { required: ['mcpServers'], properties: { mcpServers: { minProperties: 1 } } },
      { required: ['servers'], properties: { servers: { minProperties: 1 } } },
    ],
    $defs: {
      servers: {
        type: 'object',
        maxProperties: 1_000,
        propertyNames: { pattern: '[A-Za-z0-9-]' },
        additionalProperties: { $ref: '#/$defs/server' },
      },
      server: { ...objectSchema(SERVER_RULES), ...SERVER_CONDITIONS },
      remote: {
        properties: {
          type: { enum: ['http', 'streamable-http', 'sse'] },
          args: { maxItems: 0 },
          env: { maxProperties: 0 },
          cwd: false,
        },
      },
      oauth: { ...objectSchema(OAUTH_RULES), ...OAUTH_CONDITIONS },
      serverSettings: objectSchema(SERVER_SETTING_RULES),
      settings: { ...objectSchema(SETTING_RULES), not: { required: ['ranking', 'embedder'] } },
      embedder: { ...objectSchema(EMBEDDER_RULES), required: ['url', 'model'] },
      limits: objectSchema(LIMIT_RULES),
      overrides: { type: 'object', additionalProperties: { $ref: '#/$defs/override' } },
      override: objectSchema(OVERRIDE_RULES),
      annotations: objectSchema(ANNOTATION_RULES),
      parameters: { type: 'object', additionalProperties: { $ref: '#/$defs/parameter' } },
      parameter: { ...objectSchema(PARAMETER_RULES), required: ['value'] },
      text: { type: 'string', pattern: EXPANDABLE.source },
    },
  }
}

const SERVER_CONDITIONS: Schema = {
  allOf: [
    {
      properties: {
        command: { pattern: '\\S', not: { pattern: COMMAND_WITH_ARGS.source } },
      },
    },
  ],
  oneOf: [
    {
      required: ['command'],
      properties: {
        type: { const: 'stdio' },
        headers: { maxProperties: 0 },
        oauth: { maxProperties: 0 },
      },
    },
    { required: ['url'], $ref: '#/$defs/remote' },
    { required: ['serverUrl'], $ref: '#/$defs/remote' },
  ],
}

const OAUTH_CONDITIONS: Schema = {
  dependentRequired: { clientSecret: ['clientId'] },
  not: { required: ['clientId', 'clientMetadataUrl'] },
  if: { required: ['grant'], properties: { grant: { const: 'client_credentials' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    required: ['clientId', 'issuer'],
    oneOf: [{ required: ['clientSecret'] }, { required: ['privateKey'] }],
  },
  else: { properties: { privateKey: false } },
}

function objectSchema<Shape extends object>(rules: ObjectRules<Shape>): Schema {
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
      const { isExpanded, itemPattern, maxItemLength } = property
      const items = {
        ...(isExpanded ? TEXT : STRING),
        ...(maxItemLength !== undefined && { maxLength: maxItemLength }),
        ...(itemPattern && { pattern: itemPattern.source }),
      }
      return { description, type: 'array', items }
    }
    case 'map': {
      const { isExpanded, keyPattern, valuePattern, takesNumbers } = property
      const value = {
        ...(isExpanded ? TEXT : STRING),
        ...(valuePattern && { pattern: valuePattern.source }),
      }
      return {
        description,
        type: 'object',
        ...(keyPattern && { propertyNames: { pattern: keyPattern.source } }),
        additionalProperties: takesNumbers ? { anyOf: [value, { type: 'number' }] } : value,
      }
    }
    case 'any':
      return { description }
    case 'object':
      return { description, $ref: `#/$defs/${property.definition}` }
  }
}

const TEXT: Schema = { $ref: '#/$defs/text' }
const STRING: Schema = { type: 'string' }
