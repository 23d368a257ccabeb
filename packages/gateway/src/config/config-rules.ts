import type {
  ConfigFile,
  EmbedderEntry,
  GatewaySettings,
  LimitSettings,
  OAuthEntry,
  ServerEntry,
  ServerSettings,
} from './config-file.ts'
import type { AnnotationOverride, FixedParameter, Limits, ToolOverride } from './gateway-config.ts'

/**
 * The keys of one object in a configuration file. The reader and the JSON Schema for editors both use
 * these rules.
 */
export interface ObjectRules<Shape extends object> {
  readonly properties: { readonly [Key in keyof Shape]-?: PropertyOf<NonNullable<Shape[Key]>> }
  /** Keys of other clients that the gateway accepts and ignores. */
  readonly ignored?: readonly string[]
  /** Keys that are rejected, each with the fix to suggest. */
  readonly rejected?: Readonly<Record<string, string>>
}

/** How to read a property, and how to describe it. */
export type Property =
  | BooleanProperty
  | IntegerProperty
  | ChoiceProperty<string>
  | TextProperty
  | ListProperty
  | MapProperty
  | ObjectProperty
  | AnyProperty

interface Described {
  /** Shown by editors. */
  readonly description: string
}

interface BooleanProperty extends Described {
  readonly kind: 'boolean'
  readonly default?: boolean
}

export interface IntegerProperty extends Described {
  readonly kind: 'integer'
  readonly min: number
  readonly max: number
  /** The unit, for the suggested fix. */
  readonly unit?: string
  readonly default?: number
}

interface ChoiceProperty<Choice extends string> extends Described {
  readonly kind: 'choice'
  readonly choices: readonly Choice[]
  readonly default?: Choice
}

/** A string in which variables such as `${NAME}` are expanded. */
export interface TextProperty extends Described {
  readonly kind: 'text'
  /** Variables are not expanded. */
  readonly isLiteral?: true
  /** What the text must look like. `example` says it in words. */
  readonly pattern?: RegExp
  /** The expanded text must be a URL that matches this pattern, such as `https://…`. */
  readonly url?: RegExp
  /** What a valid text looks like, for the suggested fix. */
  readonly example?: string
  readonly isEmptyAllowed?: true
}

export interface ListProperty extends Described {
  readonly kind: 'list'
  /** Whether variables are expanded in the items. */
  readonly isExpanded?: true
  readonly itemPattern?: RegExp
  readonly maxItemLength?: number
}

export interface MapProperty extends Described {
  readonly kind: 'map'
  /** Whether variables are expanded in the values. */
  readonly isExpanded?: true
  readonly keyPattern?: RegExp
  readonly valuePattern?: RegExp
  /** Numbers are accepted and converted to text. */
  readonly takesNumbers?: true
}

interface ObjectProperty extends Described {
  readonly kind: 'object'
  /** Its definition in the JSON Schema. */
  readonly definition:
    | 'servers'
    | 'settings'
    | 'serverSettings'
    | 'oauth'
    | 'limits'
    | 'embedder'
    | 'overrides'
    | 'annotations'
    | 'parameters'
}

/** Any JSON value. */
interface AnyProperty extends Described {
  readonly kind: 'any'
}

type PropertyOf<Value> = [boolean | string] extends [Value]
  ? AnyProperty
  : [Value] extends [boolean]
    ? BooleanProperty
    : [Value] extends [number]
      ? IntegerProperty
      : [Value] extends [string]
        ? string extends Value
          ? TextProperty
          : ChoiceProperty<Value>
        : [Value] extends [readonly string[]]
          ? ListProperty
          : [Value] extends [Readonly<Record<string, string>>]
            ? MapProperty
            : ObjectProperty

/** The longest delay that a Node.js timer supports; it fires immediately if set to more. */
const MAX_MS = 2_147_483_647
const HTTP_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#\s]/
const HTTPS_DOCUMENT = /^[Hh][Tt][Tt][Pp][Ss]:\/\/[^/?#\s]+\/./
const UNDER_TOOLSEARCH = 'Move it under "toolsearch".'
const NOT_EMPTY = /\S/
const rename = (name: string) => `Rename it to "${name}".`

export const ROOT_RULES: ObjectRules<ConfigFile> = {
  properties: {
    mcpServers: {
      kind: 'object',
      definition: 'servers',
      description:
        "MCP servers by name. A server's name becomes the prefix of its tools' names. This is the format of Claude Desktop, Claude Code, Cursor and Windsurf.",
    },
    servers: {
      kind: 'object',
      definition: 'servers',
      description: 'MCP servers by name, in the format of VS Code. Equivalent to `mcpServers`.',
    },
    toolsearch: {
      kind: 'object',
      definition: 'settings',
      description: 'Gateway settings.',
    },
  },
  ignored: [
    '$schema',
    'inputs',
    'sandbox',
    'globalShortcut',
    'preferences',
    'isUsingBuiltInNodeForMcp',
    'isDxtAutoUpdatesEnabled',
  ],
  rejected: {
    mcp: 'Move its contents one level up: "servers" belongs at the top level of the file.',
    mode: UNDER_TOOLSEARCH,
    callTools: UNDER_TOOLSEARCH,
    pins: UNDER_TOOLSEARCH,
    allow: UNDER_TOOLSEARCH,
    deny: UNDER_TOOLSEARCH,
    readOnly: UNDER_TOOLSEARCH,
    ranking: UNDER_TOOLSEARCH,
    translateQueries: UNDER_TOOLSEARCH,
    limits: UNDER_TOOLSEARCH,
    approve: UNDER_TOOLSEARCH,
    shortcut: UNDER_TOOLSEARCH,
    history: UNDER_TOOLSEARCH,
    projects: "This is Claude Code's own file. Run `toolsearch import` to import its servers.",
  },
}

export const LIMIT_RULES: ObjectRules<LimitSettings> = {
  properties: {
    connectMs: {
      kind: 'integer',
      min: 1,
      max: MAX_MS,
      unit: 'milliseconds',
      default: 10_000,
      description:
        'How long connecting to a server may take, in milliseconds, from the moment it starts. Unless you set it, the first connection to a local server may take 60 seconds.',
    },
    callMs: {
      kind: 'integer',
      min: 1,
      max: MAX_MS,
      unit: 'milliseconds',
      default: 30_000,
      description:
        'How long a call may take without a sign of progress, in milliseconds. A server that reports progress may take up to ten times as long in total.',
    },
    resultChars: {
      kind: 'integer',
      min: 1_000,
      max: 1_000_000_000,
      default: 100_000,
      description:
        'The maximum number of characters of a result to return at once. The model can read the rest with `read_result`.',
    },
    messageBytes: {
      kind: 'integer',
      min: 10_000,
      max: 500_000_000,
      unit: 'bytes',
      default: 64 * 1024 * 1024,
      description:
        'The maximum size of a message from a server, in bytes. A call whose answer is larger fails, and the gateway never holds more of it in memory.',
    },
  },
}

/** The limits of a server that configures none. */
export const DEFAULT_LIMITS: Limits = {
  connectMs: LIMIT_RULES.properties.connectMs.default!,
  firstConnectMs: 60_000,
  callMs: LIMIT_RULES.properties.callMs.default!,
  resultChars: LIMIT_RULES.properties.resultChars.default!,
  messageBytes: LIMIT_RULES.properties.messageBytes.default!,
}

export const SETTING_RULES: ObjectRules<GatewaySettings> = {
  properties: {
    mode: {
      kind: 'choice',
      choices: ['search', 'dynamic', 'passthrough', 'auto'],
      default: 'search',
      description:
        'Which tools clients see. `search`: a fixed list of meta tools, plus pinned tools. `dynamic`: the same, plus each tool that a search has found (clients up to protocol version 2025-11-25). `passthrough`: every tool. `auto`: `passthrough` for fewer than 15 tools, otherwise `search`.',
    },
    callTools: {
      kind: 'choice',
      choices: ['one', 'by-effect'],
      default: 'by-effect',
      description:
        'How models call the tools they find. `one`: with `call_tool`. `by-effect`: with `call_read_tool`, `call_write_tool` or `call_destructive_tool`, so that a client can require permission for some effects only.',
    },
    pins: {
      kind: 'list',
      itemPattern: /^[\s\S]+\/[\s\S]+$/,
      maxItemLength: 512,
      description: 'Tools to list directly in addition to the search tool, as `server/tool`.',
    },
    allow: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description:
        'Offer only the tools that match one of these: names (`get_weather`), patterns (`get_*`, `github/*`, `*/list_*`) or effects (`read`, `write`, `destructive`, `open-world`). A tool must also pass the rules of its server.',
    },
    deny: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description:
        'Never offer the tools that match one of these: names (`transfer_money`), patterns (`transfer_*`, `github/*`, `*/delete_*`) or effects (`read`, `write`, `destructive`, `open-world`). Overrules `allow`.',
    },
    readOnly: {
      kind: 'boolean',
      default: false,
      description: 'Offer only read-only tools: those whose annotations have `readOnlyHint: true`.',
    },
    ranking: {
      kind: 'choice',
      choices: ['words-and-meaning', 'words', 'encoder'],
      default: 'words-and-meaning',
      description:
        'How tools are found. `words-and-meaning`: by keywords and semantics. `words`: by keywords only, which needs less memory. `encoder`: by keywords and the sentence encoder of the package toolsearch-encoder, which you install in addition. A change takes effect after a restart.',
    },
    embedder: {
      kind: 'object',
      definition: 'embedder',
      description:
        'An embedding model to use instead of `ranking`, such as `{ "url": "http://127.0.0.1:11434/v1", "model": "nomic-embed-text" }`. A change takes effect after a restart.',
    },
    translateQueries: {
      kind: 'boolean',
      description:
        'Translate search queries in other languages to English, word by word. Defaults to true, and to false if `ranking` is `words`. A change takes effect after a restart.',
    },
    limits: {
      kind: 'object',
      definition: 'limits',
      description: "Timeouts and result size for all servers. A server's own limits override them.",
    },
    approve: {
      kind: 'choice',
      choices: ['off', 'changed', 'new'],
      default: 'off',
      description:
        'Which tools are hidden from models, and cannot be called, until you run `toolsearch accept`. `changed`: tools whose definition changed. `new`: these, and every new tool. `off`: none.',
    },
    shortcut: {
      kind: 'boolean',
      default: true,
      description:
        'Answer plain tool calls directly instead of through the MCP SDK. Turn it off to rule out the fast path when you debug a client.',
    },
    history: {
      kind: 'choice',
      choices: ['on', 'off'],
      default: 'on',
      description:
        'Keep a history of searches and calls on disk, without arguments and results, for the inspector and `toolsearch history`.',
    },
    historyDays: {
      kind: 'integer',
      min: 1,
      max: 3_650,
      unit: 'days',
      default: 30,
      description: 'How long to keep the history, in days.',
    },
    historyMegabytes: {
      kind: 'integer',
      min: 1,
      max: 10_000,
      unit: 'megabytes',
      default: 50,
      description:
        'How much disk space the history may take, in megabytes. Beyond that, the oldest part is deleted.',
    },
  },
  rejected: { pinDefinitions: 'Write "approve": "changed" instead.' },
}

export const EMBEDDER_RULES: ObjectRules<EmbedderEntry> = {
  properties: {
    url: {
      kind: 'text',
      url: HTTP_URL,
      example: 'a URL such as http://127.0.0.1:11434/v1',
      description:
        "The URL of a server with OpenAI's `/embeddings` API, up to the version: OpenAI, Ollama, LM Studio, vLLM.",
    },
    model: { kind: 'text', description: 'The name of the embedding model.' },
    apiKey: {
      kind: 'text',
      description: 'The API key. Write `${NAME}` and keep the key in that environment variable.',
    },
    centred: {
      kind: 'boolean',
      default: false,
      description:
        'Subtract the mean of all tools from every vector. Helps if the model finds all texts similar to each other, as gte and e5 models do.',
    },
  },
  rejected: {
    baseUrl: rename('url'),
    endpoint: rename('url'),
    api_key: rename('apiKey'),
    key: rename('apiKey'),
    dimensions: 'Remove it: the gateway learns it from the first vector.',
  },
}

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
      description:
        "Environment variables for the program. `${NAME}` is replaced with a variable from the gateway's own environment.",
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
      description:
        'HTTP headers to send with every request. `${NAME}` is replaced with an environment variable.',
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
  },
}

export const OVERRIDE_RULES: ObjectRules<ToolOverride> = {
  properties: {
    name: {
      kind: 'text',
      isLiteral: true,
      pattern: /^[A-Za-z0-9_.-]{1,64}$/,
      example: '1 to 64 letters, digits, "_", "-" or "."',
      description: "The tool's name. The prefix of the server is added as usual.",
    },
    title: { kind: 'text', isLiteral: true, description: 'The title that clients show.' },
    description: {
      kind: 'text',
      isLiteral: true,
      isEmptyAllowed: true,
      description: 'The description that models read and searches use.',
    },
    annotations: {
      kind: 'object',
      definition: 'annotations',
      description:
        'Annotations to replace; the others stay. They also decide which `allow` and `deny` rules match, and whether the tool is read-only.',
    },
    parameters: {
      kind: 'object',
      definition: 'parameters',
      description:
        'Parameters to hide, each with the value to send in every call, such as `{ "dry_run": { "value": true } }`.',
    },
  },
}

export const ANNOTATION_RULES: ObjectRules<AnnotationOverride> = {
  properties: {
    readOnlyHint: { kind: 'boolean', description: 'Whether the tool only reads.' },
    destructiveHint: {
      kind: 'boolean',
      description: 'Whether the tool may delete or overwrite something.',
    },
    idempotentHint: {
      kind: 'boolean',
      description: 'Whether a repeated call with the same arguments changes nothing more.',
    },
    openWorldHint: {
      kind: 'boolean',
      description: 'Whether the tool reaches systems beyond the server, such as the web.',
    },
  },
  rejected: { title: 'Write "title" next to "annotations".' },
}

export const PARAMETER_RULES: ObjectRules<FixedParameter> = {
  properties: {
    value: { kind: 'any', description: 'The value to send in every call.' },
  },
  rejected: { default: rename('value'), const: rename('value') },
}

export const OAUTH_RULES: ObjectRules<OAuthEntry> = {
  properties: {
    grant: {
      kind: 'choice',
      choices: ['authorization_code', 'client_credentials'],
      default: 'authorization_code',
      description:
        '`authorization_code`: a person signs in with a browser. `client_credentials`: the gateway signs in without a person.',
    },
    clientId: {
      kind: 'text',
      description: 'The ID of an OAuth client that you registered manually.',
    },
    clientSecret: {
      kind: 'text',
      description:
        'The secret of that client. Write `${NAME}` and keep the secret in that environment variable.',
    },
    privateKey: {
      kind: 'text',
      description:
        'The signing key of that client in PEM format (PKCS #8), instead of a secret. For `client_credentials` only. Write `${NAME}` and keep the key in that environment variable.',
    },
    clientMetadataUrl: {
      kind: 'text',
      url: HTTPS_DOCUMENT,
      example: 'https://…/….json',
      description: 'The URL of your client metadata document.',
    },
    scope: {
      kind: 'text',
      description:
        'The scopes to request instead of the ones that the server proposes, separated by spaces.',
    },
    issuer: {
      kind: 'text',
      url: HTTP_URL,
      example: 'https://…',
      description: 'The only authorization server that may receive the credentials of the client.',
    },
    callbackPort: {
      kind: 'integer',
      min: 1,
      max: 65_535,
      description:
        'The port in the redirect URL, `http://localhost:PORT/callback`. By default, the redirect URL uses 127.0.0.1 and a free port.',
    },
  },
  ignored: ['authServerMetadataUrl', 'enabled'],
  rejected: {
    client_id: rename('clientId'),
    client_secret: rename('clientSecret'),
    scopes: 'Rename it to "scope" and write one string with spaces between the scopes.',
    redirectUri: 'Write its port as "callbackPort".',
    authorizationUrl: 'Remove it: the gateway discovers it from the server.',
    tokenUrl: 'Remove it: the gateway discovers it from the server.',
  },
}
