import type { ServerEntry, ServerSettings } from '../config-file.ts'
import { HTTP_URL, MAX_MS, NOT_EMPTY, rename, UNDER_TOOLSEARCH } from './common-rules.ts'
import type { ObjectRules } from './object-rules.ts'

export const SERVER_RULES: ObjectRules<ServerEntry> = {
  properties: {
    type: {
      kind: 'choice',
      choices: ['stdio', 'http', 'streamable-http', 'sse'],
      description:
        'The transport. Defaults to `stdio` for a `command`. For a `url`, defaults to `sse` if its path ends in `/sse`, otherwise to `http`.',
    },
    command: {
      kind: 'text',
      isEmptyAllowed: true,
      description: 'The program to run. It runs without a shell.',
    },
    args: {
      kind: 'list',
      isExpanded: true,
      description: 'Arguments for the program, one per item.',
    },
    env: {
      kind: 'map',
      isExpanded: true,
      keyPattern: /^[^=\0]+$/,
      takesNumbers: true,
      takesPersonValues: true,
      description:
        "Environment variables for the program. `${NAME}` is replaced with a variable from the gateway's own environment, and `${person:NAME}` with a value that each person enters.",
    },
    cwd: {
      kind: 'text',
      description:
        'The working directory of the program, relative to the folder of this configuration file.',
    },
    url: {
      kind: 'text',
      url: HTTP_URL,
      example: 'https://… or http://…',
      description: 'The URL of a remote server.',
    },
    serverUrl: {
      kind: 'text',
      url: HTTP_URL,
      example: 'https://… or http://…',
      description: 'The URL of a remote server, in the format of Windsurf. Equivalent to `url`.',
    },
    headers: {
      kind: 'map',
      isExpanded: true,
      keyPattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
      valuePattern: /^[\t\u0020-\u007e\u0080-\u00ff]*$/,
      takesPersonValues: true,
      description:
        'HTTP headers to send with every request. `${NAME}` is replaced with an environment variable, and `${person:NAME}` with a value that each person enters.',
    },
    disabled: {
      kind: 'boolean',
      default: false,
      description: 'Ignore this server, but keep its entry.',
    },
    disabledTools: {
      kind: 'list',
      description:
        'Tools that the gateway must not offer, by their exact names. `toolsearch.deny` also takes patterns and effects.',
    },
    alwaysLoad: {
      kind: 'boolean',
      default: false,
      description:
        'List the tools of this server directly, without a search. `toolsearch.alwaysLoad` overrides it.',
    },
    timeout: {
      kind: 'integer',
      min: 1_000,
      max: MAX_MS,
      unit: 'milliseconds',
      description:
        'How long a call may take, in milliseconds. `toolsearch.limits.callMs` overrides it.',
    },
    oauth: {
      kind: 'object',
      definition: 'oauth',
      description: 'OAuth settings that cannot be discovered from the server.',
    },
    toolsearch: {
      kind: 'object',
      definition: 'serverSettings',
      description: 'Gateway settings for this server.',
    },
  },
  ignored: [
    'alwaysAllow',
    'autoApprove',
    'auth',
    'description',
    'dev',
    'gallery',
    'icon',
    'sandbox',
    'sandboxEnabled',
    'version',
  ],
  rejected: {
    // if these two were ignored, the server would start without its secrets and fail for no obvious reason
    envFile: 'Write its variables under "env", for example "KEY": "${KEY}".',
    headersHelper: 'Write the header under "headers", for example "Bearer ${TOKEN}".',
    transport: rename('type'),
    transportType: rename('type'),
    endpoint: rename('url'),
    httpUrl: rename('url'),
    cmd: rename('command'),
    arguments: rename('args'),
    environment: rename('env'),
    workingDirectory: rename('cwd'),
    enabled: 'Write "disabled": true to turn a server off.',
    excludeTools: 'Write "toolsearch": { "deny": […] }.',
    includeTools: 'Write "toolsearch": { "allow": […] }.',
    allow: UNDER_TOOLSEARCH,
    deny: UNDER_TOOLSEARCH,
    readOnly: UNDER_TOOLSEARCH,
    overrides: UNDER_TOOLSEARCH,
    hints: UNDER_TOOLSEARCH,
    limits: UNDER_TOOLSEARCH,
    credentials: UNDER_TOOLSEARCH,
  },
}

export const SERVER_SETTING_RULES: ObjectRules<ServerSettings> = {
  properties: {
    alwaysLoad: {
      kind: 'boolean',
      default: false,
      description: 'List the tools of this server directly, without a search.',
    },
    description: {
      kind: 'text',
      description:
        'What the server is for, in a few words. The model reads it next to the name of the server. Default: words from the names of its tools.',
    },
    allow: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description:
        'Offer only the tools of this server that match one of these: names (`get_weather`), patterns (`get_*`) or effects (`read`, `write`, `destructive`, `open-world`).',
    },
    deny: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description:
        'Never offer the tools of this server that match one of these: names (`transfer_money`), patterns (`transfer_*`) or effects (`read`, `write`, `destructive`, `open-world`). Overrules `allow`.',
    },
    readOnly: {
      kind: 'boolean',
      default: false,
      description:
        'Offer only read-only tools of this server: those whose annotations have `readOnlyHint: true`.',
    },
    hints: {
      kind: 'map',
      description:
        'Additional search terms by tool name, such as `{ "create_issue": "bug ticket" }`.',
    },
    limits: {
      kind: 'object',
      definition: 'limits',
      description: 'Timeouts and result size for this server.',
    },
    overrides: {
      kind: 'object',
      definition: 'overrides',
      description:
        "What agents see instead of parts of a tool's definition, by the name that the server gives the tool.",
    },
    prefix: {
      kind: 'boolean',
      default: true,
      description:
        "Prefix the names of this server's tools with the name of the server. At most one server may turn this off.",
    },
    waitForTasks: {
      kind: 'boolean',
      default: true,
      description:
        'If a tool runs only as a task and the client does not know tasks: wait for the result, for up to ten times `callMs`. If false, such calls are rejected.',
    },
    credentials: {
      kind: 'object',
      definition: 'credentials',
      description:
        'Whose credentials the server gets. `shared`: the same for everybody. `person`: each person signs in, or enters the values for `${person:NAME}`. `{ "exchange": { … } }`: a token that the identity provider issues in exchange for the token of the person (RFC 8693).',
    },
  },
}
