/** The keys that may stand in one object of a configuration. */
export interface KeyRules {
  /** Keys that we read. */
  readonly read: readonly string[]
  /** Keys of clients that mean nothing to a gateway. */
  readonly ignored?: readonly string[]
  /** Keys that are refused, and what to do instead. */
  readonly instead?: Readonly<Record<string, string>>
}

/** Top level of a configuration file. */
export const ROOT_KEYS: KeyRules = {
  read: ['mcpServers', 'servers', 'toolsearch'],
  ignored: [
    '$schema',
    'inputs',
    'sandbox',
    'globalShortcut',
    'preferences',
    'isUsingBuiltInNodeForMcp',
    'isDxtAutoUpdatesEnabled',
  ],
  instead: {
    mcp: 'Move what is in "mcp" one level up: "servers" stands at the top of the file.',
    mode: 'Put it under "toolsearch".',
    callTools: 'Put it under "toolsearch".',
    pins: 'Put it under "toolsearch".',
    ranking: 'Put it under "toolsearch".',
    limits: 'Put it under "toolsearch".',
    pinDefinitions: 'Put it under "toolsearch".',
    projects: "This is Claude Code's own file. Run `toolsearch import` to take servers from it.",
  },
}

/** `toolsearch` at the top level. */
export const SETTING_KEYS: KeyRules = {
  read: ['mode', 'callTools', 'pins', 'ranking', 'limits', 'pinDefinitions'],
}

/** One server. */
export const SERVER_KEYS: KeyRules = {
  read: [
    'type',
    'command',
    'args',
    'env',
    'cwd',
    'url',
    'serverUrl',
    'headers',
    'disabled',
    'disabledTools',
    'alwaysLoad',
    'timeout',
    'oauth',
    'toolsearch',
  ],
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
  instead: {
    // these two bring secrets: without them the server would start and fail in obscure ways
    envFile: 'Write its variables under "env", for example "KEY": "${KEY}".',
    headersHelper: 'Write the header under "headers", for example "Bearer ${TOKEN}".',
    transport: 'Call it "type".',
    transportType: 'Call it "type".',
    endpoint: 'Call it "url".',
    httpUrl: 'Call it "url".',
    cmd: 'Call it "command".',
    arguments: 'Call it "args".',
    environment: 'Call it "env".',
    workingDirectory: 'Call it "cwd".',
    enabled: 'Write "disabled": true for a server that is not wanted.',
    excludeTools: 'Write "toolsearch": { "deny": […] }.',
    deny: 'Put it under "toolsearch".',
    hints: 'Put it under "toolsearch".',
    limits: 'Put it under "toolsearch".',
  },
}

/** `oauth` of a server. */
export const OAUTH_KEYS: KeyRules = {
  read: [
    'grant',
    'clientId',
    'clientSecret',
    'privateKey',
    'clientMetadataUrl',
    'scope',
    'issuer',
    'callbackPort',
  ],
  ignored: ['authServerMetadataUrl', 'enabled'],
  instead: {
    client_id: 'Call it "clientId".',
    client_secret: 'Call it "clientSecret".',
    scopes: 'Call it "scope", one text with spaces between the scopes.',
    redirectUri: 'Write its port as "callbackPort".',
    authorizationUrl: 'Take it away: the server says itself where to sign in.',
    tokenUrl: 'Take it away: the server says itself where to sign in.',
  },
}

/** `toolsearch` of a server. */
export const SERVER_SETTING_KEYS: KeyRules = {
  read: ['alwaysLoad', 'deny', 'hints', 'limits', 'prefix'],
}

export const LIMIT_KEYS: KeyRules = { read: ['connectMs', 'callMs', 'resultChars'] }
