import { EXPANDABLE, EXPANDABLE_WITH_PERSON } from './expand-variables.ts'
import { objectSchema, type Schema } from './object-schema.ts'
import { COMMAND_WITH_ARGS } from './read-server.ts'
import {
  ACCESS_RULE_RULES,
  ACCESS_RULES,
  ARGUMENT_PATH,
  PROFILE_NAME,
  PROFILE_RULES,
  RATE_LIMIT_RULES,
} from './rules/access-config-rules.ts'
import {
  ENCRYPTION_RULES,
  IDENTITY_RULES,
  ISSUER_PAGE_RULES,
  ISSUER_PROXY_RULES,
  ISSUER_RULES,
  TOKEN_EXCHANGE_RULES,
} from './rules/identity-rules.ts'
import { LIMIT_RULES } from './rules/limit-rules.ts'
import { OAUTH_RULES } from './rules/oauth-rules.ts'
import { ANNOTATION_RULES, OVERRIDE_RULES, PARAMETER_RULES } from './rules/override-rules.ts'
import { ROOT_RULES } from './rules/root-rules.ts'
import { SCRIPT_RULES } from './rules/script-rules.ts'
import { SERVER_RULES, SERVER_SETTING_RULES } from './rules/server-rules.ts'
import { EMBEDDER_RULES, SETTING_RULES } from './rules/setting-rules.ts'
import { AUDIT_RULES, STATE_RULES, TELEMETRY_RULES } from './rules/team-rules.ts'

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
      scripts: { anyOf: [{ type: 'boolean' }, objectSchema(SCRIPT_RULES)] },
      overrides: { type: 'object', additionalProperties: { $ref: '#/$defs/override' } },
      override: objectSchema(OVERRIDE_RULES),
      annotations: objectSchema(ANNOTATION_RULES),
      parameters: { type: 'object', additionalProperties: { $ref: '#/$defs/parameter' } },
      parameter: { ...objectSchema(PARAMETER_RULES), required: ['value'] },
      ...TEAM_DEFINITIONS,
      text: { type: 'string', pattern: EXPANDABLE.source },
      textWithPerson: { type: 'string', pattern: EXPANDABLE_WITH_PERSON.source },
    },
  }
}

const TEAM_DEFINITIONS: Schema = {
  identity: { ...objectSchema(IDENTITY_RULES), required: ['url'] },
  issuer: { ...objectSchema(ISSUER_RULES), required: ['issuer'] },
  issuerProxy: { ...objectSchema(ISSUER_PROXY_RULES), required: ['clientId'] },
  issuerPage: { ...objectSchema(ISSUER_PAGE_RULES), required: ['clientId'] },
  access: {
    ...objectSchema(ACCESS_RULES),
    anyOf: [{ required: ['rules'] }, { required: ['cedar'] }],
  },
  accessRule: {
    ...objectSchema(ACCESS_RULE_RULES),
    anyOf: [{ required: ['allow'] }, { required: ['deny'] }],
    not: { required: ['arguments', 'deny'] },
  },
  ruleArguments: {
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: ARGUMENT_PATH.source },
    additionalProperties: {
      type: 'array',
      minItems: 1,
      items: { type: ['string', 'number', 'boolean', 'null'] },
    },
  },
  profiles: {
    type: 'object',
    propertyNames: { pattern: PROFILE_NAME.source },
    additionalProperties: { $ref: '#/$defs/profile' },
  },
  profile: objectSchema(PROFILE_RULES),
  rateLimit: {
    ...objectSchema(RATE_LIMIT_RULES),
    anyOf: [{ required: ['calls'] }, { required: ['resultBytes'] }, { required: ['concurrent'] }],
  },
  audit: objectSchema(AUDIT_RULES),
  telemetry: objectSchema(TELEMETRY_RULES),
  state: objectSchema(STATE_RULES),
  encryption: {
    ...objectSchema(ENCRYPTION_RULES),
    oneOf: [{ required: ['key'] }, { required: ['keyFile'] }, { required: ['keyring'] }],
  },
  credentials: {
    anyOf: [
      { enum: ['shared', 'person'] },
      {
        type: 'object',
        properties: { exchange: { $ref: '#/$defs/tokenExchange' } },
        required: ['exchange'],
        additionalProperties: false,
      },
    ],
  },
  tokenExchange: { ...objectSchema(TOKEN_EXCHANGE_RULES), required: ['tokenUrl', 'clientId'] },
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
  anyOf: [
    {
      properties: {
        grant: { const: 'authorization_code' },
        privateKey: false,
        assertionFile: false,
        assertion: false,
      },
    },
    {
      properties: { grant: { const: 'client_credentials' } },
      required: ['grant', 'clientId', 'issuer'],
      oneOf: [
        { required: ['clientSecret'] },
        { required: ['privateKey'] },
        { required: ['assertionFile'] },
        { required: ['assertion'] },
      ],
    },
    {
      properties: { grant: { const: 'jwt-bearer' }, privateKey: false },
      required: ['grant', 'issuer'],
      oneOf: [{ required: ['assertionFile'] }, { required: ['assertion'] }],
    },
  ],
}
