/** A configuration text, and a description of what it tests. */
export interface ConfigExample {
  readonly about: string
  readonly text: string
}

const server = (fields: string): string => `{ "mcpServers": { "a": { ${fields} } } }`
const local = (fields: string): string => server(`"command": "node", ${fields}`)
const remote = (fields: string): string => server(`"url": "https://x.dev/mcp", ${fields}`)
const settings = (fields: string): string =>
  `{ "mcpServers": { "a": { "command": "node" } }, "toolsearch": { ${fields} } }`

const override = (fields: string): string =>
  local(`"toolsearch": { "overrides": { "x": { ${fields} } } }`)

const IDENTITY = '"identity": { "url": "https://x.dev" }'
const personal = (fields: string): string =>
  `{ "mcpServers": { "a": { ${fields} } }, "toolsearch": { ${IDENTITY} } }`
const exchange = (fields: string, server = '"url": "https://y.dev/mcp"'): string =>
  personal(`${server}, "toolsearch": { "credentials": { "exchange": { ${fields} } } }`)
const EXCHANGE = '"tokenUrl": "https://y.dev/token", "clientId": "x"'

/** Accepted by both the reader and the schema. `TOKEN` is set to `t0k`. */
export const GOOD_EXAMPLES: readonly ConfigExample[] = [
  { about: 'only a command', text: server('"command": "node"') },
  {
    about: 'a command with all its options',
    text: local('"args": ["-x"], "env": { "A": "1" }, "cwd": "sub"'),
  },
  { about: 'a number as the value of a variable', text: local('"env": { "PORT": 80 }') },
  { about: 'a path with spaces', text: server('"command": "C:\\\\Program Files\\\\x.exe"') },
  { about: 'only a URL', text: server('"url": "https://x.dev/mcp"') },
  { about: "Windsurf's serverUrl", text: server('"serverUrl": "https://x.dev/mcp"') },
  {
    about: 'a URL with type and headers',
    text: remote('"type": "http", "headers": { "X-A": "Bearer ${TOKEN}" }'),
  },
  { about: 'type streamable-http', text: remote('"type": "streamable-http"') },
  { about: 'type sse', text: remote('"type": "sse"') },
  { about: 'a URL with a variable', text: server('"url": "${HOST:-https://x.dev}/mcp"') },
  {
    about: "VS Code's file",
    text: '{ "inputs": [], "servers": { "a": { "type": "stdio", "command": "x", "dev": {} } } }',
  },
  {
    about: 'comments and trailing commas',
    text: '{ // why\n "mcpServers": { "a": { "command": "x", }, }, }',
  },
  { about: 'a byte order mark', text: `\uFEFF${server('"command": "x"')}` },
  {
    about: 'keys of other clients',
    text: local(
      '"alwaysAllow": ["x"], "autoApprove": [], "disabled": true, "timeout": 60000, "disabledTools": ["x"], "alwaysLoad": true',
    ),
  },
  { about: 'empty oauth', text: remote('"oauth": {}') },
  {
    about: 'a manually registered OAuth client',
    text: remote(
      '"oauth": { "clientId": "x", "clientSecret": "${TOKEN}", "scope": "a b", "issuer": "https://y.dev", "callbackPort": 3118 }',
    ),
  },
  {
    about: 'an OAuth client with a metadata document',
    text: remote('"oauth": { "clientMetadataUrl": "https://y.dev/client.json" }'),
  },
  {
    about: 'client credentials with a secret',
    text: remote(
      '"oauth": { "grant": "client_credentials", "clientId": "x", "clientSecret": "${TOKEN}", "issuer": "https://y.dev" }',
    ),
  },
  {
    about: 'client credentials with a private key',
    text: remote(
      '"oauth": { "grant": "client_credentials", "clientId": "x", "privateKey": "${KEY}", "issuer": "https://y.dev" }',
    ),
  },
  {
    about: 'client credentials with a token of the platform',
    text: remote(
      '"oauth": { "grant": "client_credentials", "clientId": "x", "assertionFile": "/var/run/token", "issuer": "https://y.dev" }',
    ),
  },
  {
    about: 'a token of the platform as the grant',
    text: remote(
      '"oauth": { "grant": "jwt-bearer", "assertion": "${TOKEN}", "issuer": "https://y.dev", "dpop": "required" }',
    ),
  },
  { about: 'empty oauth next to a command', text: local('"oauth": {}') },
  { about: 'empty headers next to a command', text: local('"headers": {}') },
  { about: 'empty env next to a URL', text: remote('"env": {}, "args": []') },
  {
    about: 'all settings of a server',
    text: local(
      '"toolsearch": { "alwaysLoad": true, "allow": ["*"], "deny": ["x"], "readOnly": true, "description": "z", "hints": { "x": "y" }, "overrides": {}, "prefix": false, "waitForTasks": false, "limits": { "connectMs": 1, "callMs": 2, "resultChars": 1000, "messageBytes": 10000 } }',
    ),
  },
  {
    about: 'an override of everything',
    text: override(
      '"name": "a.b-c_1", "title": "T", "description": "Costs ${5}", "annotations": { "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false }, "parameters": { "a": { "value": null }, "b": { "value": [1, { "c": "${X}" }] } }',
    ),
  },
  {
    about: 'all settings of the gateway',
    text: settings(
      '"mode": "auto", "callTools": "one", "allow": [], "deny": ["transfer_*", "a/*", "destructive"], "readOnly": false, "skills": ["./skills"], "pins": ["a/x"], "ranking": "words", "translateQueries": true, "learning": "person", "limits": {}, "approve": "new", "shortcut": false, "taskSeconds": 10, "streamSeconds": 25, "history": "off", "historyDays": 7, "historyMegabytes": 10',
    ),
  },
  { about: 'the sentence encoder', text: settings('"ranking": "encoder"') },
  {
    about: 'an embedder',
    text: settings(
      '"embedder": { "url": "http://127.0.0.1:11434/v1", "model": "nomic-embed-text" }',
    ),
  },
  {
    about: 'an embedder with all its options',
    text: settings(
      '"embedder": { "url": "https://x.dev/v1", "model": "m", "apiKey": "${TOKEN}", "centred": true }',
    ),
  },
  {
    about: 'a $schema',
    text: '{ "$schema": "x", "mcpServers": { "a": { "command": "x" } } }',
  },
  {
    about: 'every form of variable',
    text: local('"args": ["${TOKEN}", "${env:TOKEN}", "${NOT:-x}", "$${X}", "$5", "$$"]'),
  },
  {
    about: 'every setting of identity',
    text: settings(
      '"identity": { "url": "https://x.dev/", "issuers": [{ "issuer": "http://127.0.0.1:1/", "audience": ["a"], "jwksUrl": "https://y.dev/keys", "algorithms": ["ES256", "EdDSA"], "groupsClaim": "realm.roles", "requiredScopes": ["mcp:tools"], "proxy": { "clientId": "x", "clientSecret": "${TOKEN}", "scopes": ["openid"], "redirectUris": ["https://z.dev/cb", "cursor://x"], "keepIdTokens": true }, "page": { "clientId": "x", "clientSecret": "${TOKEN}", "scopes": ["openid"] } }], "administrators": ["admins", "ann@x.dev"], "clockSkewSeconds": 0, "apiKeys": false }',
    ),
  },
  {
    about: 'API keys without an issuer',
    text: settings('"identity": { "url": "http://localhost:8080" }'),
  },
  {
    about: 'every kind of rule',
    text: settings(
      '"access": { "cedar": ["team.cedar"], "rules": [{ "allow": ["a/*", "read", "resource:a/file:*", "prompt:*"], "groups": ["x"] }, { "deny": ["destructive"], "people": ["ann"] }, { "allow": ["a/x"], "arguments": { "p.q": ["WEB", "APP-*", 5, true, null] } }] }',
    ),
  },
  { about: 'access rules that allow nothing', text: settings('"access": { "rules": [] }') },
  {
    about: 'profiles',
    text: settings(
      '"profiles": { "support-1": {}, "b": { "description": "d ${x}", "servers": ["a"], "allow": ["read"], "deny": ["x"], "readOnly": true, "mode": "auto", "pins": ["a/x"], "instructions": "i" } }',
    ),
  },
  {
    about: 'rate limits',
    text: settings(
      '"rateLimits": [{ "calls": 100 }, { "each": "server", "tools": ["a/*"], "groups": ["x"], "people": ["y"], "resultBytes": 5, "per": "day", "concurrent": 1 }]',
    ),
  },
  {
    about: 'an audit log in a database',
    text: settings(
      '"audit": { "to": "postgres", "arguments": "none", "days": 7, "required": false }, "state": { "redis": "rediss://:${TOKEN}@x", "postgres": "${NOT:-postgresql://x/db}", "redisPrefix": "a:" }',
    ),
  },
  {
    about: 'telemetry',
    text: settings(
      '"telemetry": { "otlpUrl": "http://x:4318", "otlpHeaders": { "Authorization": "Bearer ${TOKEN}" }, "metricsPort": 9464, "metricsHost": "0.0.0.0", "logs": "json" }',
    ),
  },
  {
    about: 'an encryption key',
    text: settings(
      `"encryption": { "key": "${'ab'.repeat(32)}", "previousKeys": ["${'A'.repeat(43)}="] }`,
    ),
  },
  { about: 'a key file', text: settings('"encryption": { "keyFile": "secret.key" }') },
  { about: 'a keyring', text: settings('"encryption": { "keyring": "toolsearch" }') },
  { about: 'shared credentials', text: local('"toolsearch": { "credentials": "shared" }') },
  {
    about: 'values that each person enters',
    text: personal(
      '"command": "x", "env": { "A": "${person:KEY} ${TOKEN}" }, "toolsearch": { "credentials": "person" }',
    ),
  },
  { about: 'a token exchange', text: exchange(EXCHANGE) },
  {
    about: 'a token exchange on behalf of',
    text: exchange(`${EXCHANGE}, "grant": "on-behalf-of"`),
  },
  {
    about: 'enterprise-managed authorization',
    text: exchange(
      `${EXCHANGE}, "grant": "id-jag", "subjectToken": "id-token"`,
      '"url": "https://y.dev/mcp", "oauth": { "clientId": "x", "issuer": "https://y.dev" }',
    ),
  },
]

/** Rejected by both the reader and the schema. */
export const BAD_EXAMPLES: readonly ConfigExample[] = [
  { about: 'an array', text: '[]' },
  { about: 'a string', text: '"x"' },
  { about: 'null', text: 'null' },
  { about: 'an empty object', text: '{}' },
  { about: 'no servers', text: '{ "mcpServers": {} }' },
  { about: 'servers as an array', text: '{ "mcpServers": [] }' },
  { about: 'a server as a string', text: '{ "mcpServers": { "a": "npx" } }' },
  { about: 'an unknown key', text: '{ "mcpServers": { "a": { "command": "x" } }, "extra": 1 }' },
  { about: 'an unknown key of a server', text: server('"comand": "x"') },
  { about: 'an empty server', text: '{ "mcpServers": { "a": {} } }' },
  { about: 'a command and a URL', text: remote('"command": "x"') },
  { about: 'two URLs', text: remote('"serverUrl": "https://y.dev"') },
  { about: 'a command with arguments in it', text: server('"command": "npx -y thing"') },
  { about: 'an empty command', text: server('"command": " "') },
  { about: 'a number as an argument', text: local('"args": [80]') },
  { about: 'args as a string', text: local('"args": "-x"') },
  { about: 'a boolean as the value of a variable', text: local('"env": { "A": true }') },
  { about: 'a variable with = in its name', text: local('"env": { "A=B": "" }') },
  { about: 'an empty cwd', text: local('"cwd": ""') },
  { about: 'an unknown type', text: remote('"type": "websocket"') },
  { about: 'a command of type http', text: local('"type": "http"') },
  { about: 'a URL of type stdio', text: remote('"type": "stdio"') },
  { about: 'type http without a URL', text: server('"type": "http"') },
  { about: 'headers next to a command', text: local('"headers": { "A": "b" }') },
  { about: 'oauth next to a command', text: local('"oauth": { "clientId": "x" }') },
  { about: 'oauth as a boolean', text: remote('"oauth": true') },
  { about: 'an unknown key of oauth', text: remote('"oauth": { "clientID": "x" }') },
  { about: 'an unknown grant', text: remote('"oauth": { "grant": "password" }') },
  {
    about: 'a client secret without a client id',
    text: remote('"oauth": { "clientSecret": "x" }'),
  },
  { about: 'an empty client id', text: remote('"oauth": { "clientId": "" }') },
  {
    about: 'both a client id and a metadata document',
    text: remote('"oauth": { "clientId": "x", "clientMetadataUrl": "https://y.dev/c" }'),
  },
  {
    about: 'a metadata document without https',
    text: remote('"oauth": { "clientMetadataUrl": "http://y.dev/c" }'),
  },
  {
    about: 'client credentials without a secret',
    text: remote('"oauth": { "grant": "client_credentials", "clientId": "x" }'),
  },
  {
    about: 'a private key without client credentials',
    text: remote('"oauth": { "clientId": "x", "privateKey": "${KEY}" }'),
  },
  {
    about: 'a token of the platform without a grant',
    text: remote('"oauth": { "clientId": "x", "assertionFile": "/var/run/token" }'),
  },
  {
    about: 'jwt-bearer without an assertion',
    text: remote('"oauth": { "grant": "jwt-bearer", "issuer": "https://y.dev" }'),
  },
  {
    about: 'jwt-bearer with two assertions',
    text: remote(
      '"oauth": { "grant": "jwt-bearer", "issuer": "https://y.dev", "assertion": "x", "assertionFile": "y" }',
    ),
  },
  {
    about: 'jwt-bearer without an issuer',
    text: remote('"oauth": { "grant": "jwt-bearer", "assertion": "x" }'),
  },
  {
    about: 'both a private key and a secret',
    text: remote(
      '"oauth": { "grant": "client_credentials", "clientId": "x", "clientSecret": "y", "privateKey": "${KEY}", "issuer": "https://y.dev" }',
    ),
  },
  { about: 'an issuer that is not a URL', text: remote('"oauth": { "issuer": "y.dev" }') },
  { about: 'an invalid port', text: remote('"oauth": { "callbackPort": 0 }') },
  { about: 'env next to a URL', text: remote('"env": { "A": "b" }') },
  { about: 'cwd next to a URL', text: remote('"cwd": "x"') },
  { about: 'a URL that is only a path', text: server('"url": "/mcp"') },
  { about: 'a URL with another scheme', text: server('"url": "file:///x"') },
  { about: 'a header name with a space', text: remote('"headers": { "A B": "c" }') },
  { about: 'a header with a line break', text: remote('"headers": { "A": "b\\nc" }') },
  { about: 'a NUL in an argument', text: local('"args": ["\\u0000"]') },
  { about: 'a VS Code input', text: local('"args": ["${input:key}"]') },
  {
    about: 'a variable that only an editor knows',
    text: local('"args": ["${workspaceFolder:x}"]'),
  },
  { about: 'an unclosed variable', text: local('"args": ["${TOKEN"]') },
  { about: 'an envFile', text: local('"envFile": ".env"') },
  { about: 'disabled as a string', text: local('"disabled": "true"') },
  { about: 'a timeout in seconds', text: local('"timeout": 60') },
  {
    about: 'a name without ASCII letters',
    text: '{ "mcpServers": { "查询": { "command": "x" } } }',
  },
  { about: 'a description that is a number', text: local('"toolsearch": { "description": 1 }') },
  { about: 'a prefix that is a string', text: local('"toolsearch": { "prefix": "x" }') },
  { about: 'an unknown setting of a server', text: local('"toolsearch": { "denny": [] }') },
  { about: 'an empty rule', text: settings('"deny": [" "]') },
  { about: 'a rule that is not a string', text: local('"toolsearch": { "allow": [true] }') },
  { about: 'rules in one string', text: settings('"deny": "transfer_*"') },
  { about: 'readOnly as a string', text: settings('"readOnly": "true"') },
  { about: 'deny of a server outside toolsearch', text: local('"deny": ["x"]') },
  { about: 'overrides as a list', text: local('"toolsearch": { "overrides": [] }') },
  { about: 'an unknown key of an override', text: override('"nmae": "y"') },
  { about: 'a new name with a space', text: override('"name": "a b"') },
  { about: 'an empty new name', text: override('"name": ""') },
  { about: 'an unknown annotation', text: override('"annotations": { "readonlyHint": true }') },
  {
    about: 'an annotation as a string',
    text: override('"annotations": { "readOnlyHint": "yes" }'),
  },
  { about: 'a parameter that is a bare value', text: override('"parameters": { "a": true }') },
  { about: 'a parameter without a value', text: override('"parameters": { "a": {} }') },
  { about: 'an unknown setting', text: settings('"modes": "auto"') },
  { about: 'an unknown mode', text: settings('"mode": "serach"') },
  { about: 'a setting that "approve" replaces', text: settings('"pinDefinitions": true') },
  { about: 'an unknown rule for approvals', text: settings('"approve": true') },
  { about: 'an unknown ranking', text: settings('"ranking": "semantic"') },
  { about: 'an embedder without a model', text: settings('"embedder": { "url": "http://x/v1" }') },
  { about: 'an embedder without a URL', text: settings('"embedder": { "model": "m" }') },
  {
    about: 'an embedder whose URL has no scheme',
    text: settings('"embedder": { "url": "127.0.0.1:11434", "model": "m" }'),
  },
  {
    about: 'a ranking next to an embedder',
    text: settings('"ranking": "words", "embedder": { "url": "http://x/v1", "model": "m" }'),
  },
  { about: 'skills as a single string', text: settings('"skills": "./skills"') },
  { about: 'a folder of skills without a name', text: settings('"skills": [""]') },
  { about: 'a pin without a server', text: settings('"pins": ["x"]') },
  { about: 'a limit of zero', text: settings('"limits": { "callMs": 0 }') },
  {
    about: 'a limit beyond the range of timers',
    text: settings('"limits": { "callMs": 3000000000 }'),
  },
  { about: 'a fractional limit', text: settings('"limits": { "callMs": 1.5 }') },
  { about: 'identity without a URL', text: settings('"identity": { "issuers": [] }') },
  { about: 'identity over http', text: settings('"identity": { "url": "http://x.dev" }') },
  {
    about: 'identity of a host that only looks local',
    text: settings('"identity": { "url": "http://localhost.x.dev" }'),
  },
  {
    about: 'an issuer without a URL',
    text: settings('"identity": { "url": "https://x.dev", "issuers": [{ "audience": ["a"] }] }'),
  },
  {
    about: 'an issuer over http',
    text: settings(
      '"identity": { "url": "https://x.dev", "issuers": [{ "issuer": "http://y.dev" }] }',
    ),
  },
  {
    about: 'tokens without a signature',
    text: settings(
      '"identity": { "url": "https://x.dev", "issuers": [{ "issuer": "https://y.dev", "algorithms": ["none"] }] }',
    ),
  },
  {
    about: 'an empty list of audiences',
    text: settings(
      '"identity": { "url": "https://x.dev", "issuers": [{ "issuer": "https://y.dev", "audience": [] }] }',
    ),
  },
  {
    about: 'a proxy without a client',
    text: settings(
      '"identity": { "url": "https://x.dev", "issuers": [{ "issuer": "https://y.dev", "proxy": {} }] }',
    ),
  },
  { about: 'access without rules', text: settings('"access": {}') },
  { about: 'rules as an object', text: settings('"access": { "rules": {} }') },
  {
    about: 'a rule without a list',
    text: settings('"access": { "rules": [{ "groups": ["x"] }] }'),
  },
  {
    about: 'a rule for no group',
    text: settings('"access": { "rules": [{ "allow": ["x"], "groups": [] }] }'),
  },
  {
    about: 'an unknown key of a rule',
    text: settings('"access": { "rules": [{ "alow": ["x"], "deny": [] }] }'),
  },
  {
    about: 'a deny with arguments',
    text: settings('"access": { "rules": [{ "deny": ["x"], "arguments": { "a": [1] } }] }'),
  },
  {
    about: 'an argument without values',
    text: settings('"access": { "rules": [{ "allow": ["x"], "arguments": { "a": [] } }] }'),
  },
  {
    about: 'an argument with an object as its value',
    text: settings('"access": { "rules": [{ "allow": ["x"], "arguments": { "a": [{}] } }] }'),
  },
  {
    about: 'an argument without a name',
    text: settings('"access": { "rules": [{ "allow": ["x"], "arguments": { "a..b": [1] } }] }'),
  },
  { about: 'a profile with a slash in its name', text: settings('"profiles": { "a/b": {} }') },
  { about: 'an unknown key of a profile', text: settings('"profiles": { "p": { "server": [] } }') },
  { about: 'a rate limit without a bound', text: settings('"rateLimits": [{ "each": "tool" }]') },
  { about: 'a rate limit of zero', text: settings('"rateLimits": [{ "calls": 0 }]') },
  { about: 'a rate limit outside of a list', text: settings('"rateLimits": { "calls": 1 }') },
  { about: 'an unknown audit log', text: settings('"audit": { "to": "syslog" }') },
  { about: 'Redis over http', text: settings('"state": { "redis": "http://x" }') },
  { about: 'another database', text: settings('"state": { "postgres": "mysql://x/db" }') },
  { about: 'no encryption key', text: settings('"encryption": {}') },
  {
    about: 'two encryption keys',
    text: settings('"encryption": { "keyFile": "x", "keyring": "y" }'),
  },
  { about: 'unknown credentials', text: local('"toolsearch": { "credentials": "personal" }') },
  { about: 'a token exchange without a URL', text: exchange('"clientId": "x"') },
  {
    about: "a person's value outside of env",
    text: personal(
      '"command": "x", "args": ["${person:A}"], "toolsearch": { "credentials": "person" }',
    ),
  },
  {
    about: "an escaped person's value",
    text: personal(
      '"command": "x", "env": { "A": "$${person:A}" }, "toolsearch": { "credentials": "person" }',
    ),
  },
  {
    about: 'identity at the top level',
    text: '{ "mcpServers": { "a": { "command": "x" } }, "identity": {} }',
  },
]

/** Rejected only by the reader, for reasons that a schema cannot express. */
export const BAD_BEYOND_SCHEMA: readonly ConfigExample[] = [
  {
    about: 'two servers with the same name',
    text: '{ "mcpServers": { "a": { "command": "x" }, "a": { "command": "y" } } }',
  },
  { about: 'a duplicate key', text: local('"args": [], "args": []') },
  {
    about: 'names with the same prefix',
    text: '{ "mcpServers": { "a b": { "command": "x" }, "a_b": { "command": "y" } } }',
  },
  {
    about: 'the same name in mcpServers and servers',
    text: '{ "mcpServers": { "a": { "command": "x" } }, "servers": { "a": { "command": "x" } } }',
  },
  {
    about: 'a name that is too long',
    text: `{ "mcpServers": { "${'x'.repeat(63)}": { "command": "x" } } }`,
  },
  {
    about: 'two servers without a prefix',
    text: '{ "mcpServers": { "a": { "command": "x", "toolsearch": { "prefix": false } }, "b": { "command": "x", "toolsearch": { "prefix": false } } } }',
  },
  {
    about: 'an invalid private key',
    text: remote(
      '"oauth": { "grant": "client_credentials", "clientId": "x", "privateKey": "${TOKEN}", "issuer": "https://y.dev" }',
    ),
  },
  {
    about: 'oauth and an Authorization header',
    text: remote('"oauth": {}, "headers": { "authorization": "Bearer x" }'),
  },
  { about: 'an unset variable', text: local('"args": ["${NOT_SET}"]') },
  { about: 'a variable that only an editor knows', text: local('"args": ["${workspaceFolder}"]') },
  {
    about: 'skills in folders next to a server with their name',
    text: '{ "mcpServers": { "local": { "command": "x" } }, "toolsearch": { "skills": ["s"] } }',
  },
  { about: 'a pin of an unknown server', text: settings('"pins": ["b/x"]') },
  { about: 'a URL with an invalid port', text: server('"url": "http://x:99999"') },
  {
    about: 'identity with a path',
    text: settings('"identity": { "url": "https://x.dev/mcp" }'),
  },
  {
    about: 'identity that accepts nobody',
    text: settings('"identity": { "url": "https://x.dev", "apiKeys": false }'),
  },
  {
    about: 'an issuer twice',
    text: settings(
      '"identity": { "url": "https://x.dev", "issuers": [{ "issuer": "https://y.dev" }, { "issuer": "https://y.dev" }] }',
    ),
  },
  {
    about: 'two issuers with a proxy',
    text: settings(
      '"identity": { "url": "https://x.dev", "issuers": [{ "issuer": "https://y.dev", "proxy": { "clientId": "x" } }, { "issuer": "https://z.dev", "proxy": { "clientId": "x" } }] }',
    ),
  },
  {
    about: 'a profile with an unknown server',
    text: settings('"profiles": { "p": { "servers": ["b"] } }'),
  },
  {
    about: 'a profile that pins a tool of a server that it does not contain',
    text: '{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "x" } }, "toolsearch": { "profiles": { "p": { "servers": ["a"], "pins": ["b/x"] } } } }',
  },
  { about: 'an audit log in a missing database', text: settings('"audit": { "to": "postgres" }') },
  { about: 'a short encryption key', text: settings('"encryption": { "key": "${TOKEN}" }') },
  {
    about: 'credentials of people who do not sign in',
    text: local('"toolsearch": { "credentials": "person" }'),
  },
  {
    about: "a person's value with shared credentials",
    text: local('"env": { "A": "${person:A}" }'),
  },
  {
    about: 'enterprise-managed authorization without a client',
    text: exchange(`${EXCHANGE}, "grant": "id-jag"`),
  },
  { about: 'a token exchange for a command', text: exchange(EXCHANGE, '"command": "x"') },
  {
    about: 'a token exchange next to a header',
    text: exchange(EXCHANGE, '"url": "https://y.dev", "headers": { "authorization": "x" }'),
  },
  {
    about: "people's credentials next to client credentials",
    text: personal(
      '"url": "https://y.dev", "oauth": { "grant": "client_credentials", "clientId": "x", "clientSecret": "y", "issuer": "https://z.dev" }, "toolsearch": { "credentials": "person" }',
    ),
  },
]
