import type { AccessEntry, ProfileEntry, RateLimitEntry } from '../config-file.ts'
import type { AccessRuleConfig } from '../team-config.ts'
import { NOT_EMPTY, rename } from './common-rules.ts'
import type { ListProperty, ObjectRules } from './object-rules.ts'

const GROUPS: ListProperty = {
  kind: 'list',
  itemPattern: NOT_EMPTY,
  isNeverEmpty: true,
  description: 'Groups that it is for, as the identity provider spells them.',
}

const PEOPLE: ListProperty = {
  kind: 'list',
  itemPattern: NOT_EMPTY,
  isNeverEmpty: true,
  description: 'Subjects, verified email addresses or IDs of API keys that it is for.',
}

export const ACCESS_RULES: ObjectRules<AccessEntry> = {
  properties: {
    rules: {
      kind: 'objects',
      definition: 'accessRule',
      description: 'Rules in any order. A person may use what one rule allows and no rule denies.',
    },
    cedar: {
      kind: 'list',
      isExpanded: true,
      itemPattern: NOT_EMPTY,
      description:
        'Files with Cedar policies, relative to the folder of this configuration file. If there are rules as well, both must allow.',
    },
  },
  rejected: {
    allow: 'Move it into an object under "rules".',
    deny: 'Move it into an object under "rules".',
  },
}

export const ACCESS_RULE_RULES: ObjectRules<AccessRuleConfig> = {
  properties: {
    allow: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description:
        'What the people may use: names (`get_weather`), patterns (`github/*`, `*/list_*`) or effects (`read`, `write`, `destructive`, `open-world`) of tools, `resource:SERVER/URI`, `prompt:SERVER/NAME` and `skill:SERVER/PATH`. `SERVER/*` includes the resources, prompts and skills of a server.',
    },
    deny: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description: 'What the people must not use, as in `allow`. Overrules every `allow`.',
    },
    groups: GROUPS,
    people: PEOPLE,
    arguments: {
      kind: 'object',
      definition: 'ruleArguments',
      description:
        'Restricts `allow` to calls with these arguments: permitted values by parameter, such as `{ "issue.project": ["WEB", "APP-*"] }`.',
    },
  },
  rejected: { group: rename('groups'), users: rename('people'), tools: rename('allow') },
}

export const PROFILE_RULES: ObjectRules<ProfileEntry> = {
  properties: {
    description: {
      kind: 'text',
      isLiteral: true,
      description: 'What the profile is for. The model reads it at the start of the instructions.',
    },
    servers: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description: 'The servers that it contains. Defaults to all.',
    },
    allow: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description: 'Offer only the tools that match one of these, as in `toolsearch.allow`.',
    },
    deny: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description: 'Never offer the tools that match one of these. Overrules `allow`.',
    },
    readOnly: { kind: 'boolean', default: false, description: 'Offer only read-only tools.' },
    mode: {
      kind: 'choice',
      choices: ['search', 'dynamic', 'passthrough', 'auto'],
      description: 'Which tools clients see. Defaults to the mode of the gateway.',
    },
    pins: {
      kind: 'list',
      itemPattern: /^[\s\S]+\/[\s\S]+$/,
      maxItemLength: 512,
      description: 'Tools to list directly, as `server/tool`. Defaults to the pins of the gateway.',
    },
    instructions: {
      kind: 'text',
      isLiteral: true,
      description: 'Replaces the instructions of the gateway for models.',
    },
  },
}

/** Parameters of a call, and parts of them: `project`, `issue.project`. */
export const ARGUMENT_PATH: RegExp = /^[^.\s][^.]*(\.[^.]+)*$/

/** Names of profiles are part of addresses. */
export const PROFILE_NAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/

export const RATE_LIMIT_RULES: ObjectRules<RateLimitEntry> = {
  properties: {
    each: {
      kind: 'choice',
      choices: ['person', 'tool', 'server', 'everybody'],
      default: 'person',
      description: 'What is counted separately. `everybody`: all calls are counted together.',
    },
    tools: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      isNeverEmpty: true,
      description: 'Tools that it applies to: names and patterns. Defaults to all.',
    },
    groups: GROUPS,
    people: PEOPLE,
    calls: {
      kind: 'integer',
      min: 1,
      max: 1_000_000_000,
      description: 'How many calls are allowed in each period.',
    },
    resultBytes: {
      kind: 'integer',
      min: 1,
      max: 1_000_000_000_000,
      unit: 'bytes',
      description: 'How many bytes of results are allowed in each period.',
    },
    per: {
      kind: 'choice',
      choices: ['second', 'minute', 'hour', 'day'],
      default: 'minute',
      description: 'The length of a period.',
    },
    concurrent: {
      kind: 'integer',
      min: 1,
      max: 1_000_000,
      description: 'How many calls may run at the same time.',
    },
  },
}
