/** One text, and whether it is a configuration. */
export interface ConfigExample {
  readonly about: string
  readonly text: string
}

const server = (fields: string): string => `{ "mcpServers": { "a": { ${fields} } } }`
const run = (fields: string): string => server(`"command": "node", ${fields}`)
const call = (fields: string): string => server(`"url": "https://x.dev/mcp", ${fields}`)
const settings = (fields: string): string =>
  `{ "mcpServers": { "a": { "command": "node" } }, "toolsearch": { ${fields} } }`

/** What both the reader and the schema accept. `TOKEN` is set to `t0k`. */
export const GOOD_EXAMPLES: readonly ConfigExample[] = [
  { about: 'a command alone', text: server('"command": "node"') },
  { about: 'all of a command', text: run('"args": ["-x"], "env": { "A": "1" }, "cwd": "sub"') },
  { about: 'a number as a variable', text: run('"env": { "PORT": 80 }') },
  { about: 'a path with spaces', text: server('"command": "C:\\\\Program Files\\\\x.exe"') },
  { about: 'an address alone', text: server('"url": "https://x.dev/mcp"') },
  { about: "Windsurf's address", text: server('"serverUrl": "https://x.dev/mcp"') },
  {
    about: 'all of an address',
    text: call('"type": "http", "headers": { "X-A": "Bearer ${TOKEN}" }'),
  },
  { about: 'the long name of http', text: call('"type": "streamable-http"') },
  { about: 'the older transport', text: call('"type": "sse"') },
  { about: 'an address from a variable', text: server('"url": "${HOST:-https://x.dev}/mcp"') },
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
    about: 'keys of clients',
    text: run(
      '"alwaysAllow": ["x"], "autoApprove": [], "disabled": true, "timeout": 60000, "disabledTools": ["x"], "alwaysLoad": true',
    ),
  },
  { about: 'an empty sign-in', text: call('"oauth": {}') },
  {
    about: 'a client registered by hand',
    text: call(
      '"oauth": { "clientId": "x", "clientSecret": "${TOKEN}", "scope": "a b", "issuer": "https://y.dev", "callbackPort": 3118 }',
    ),
  },
  {
    about: 'a client with a document',
    text: call('"oauth": { "clientMetadataUrl": "https://y.dev/client.json" }'),
  },
  {
    about: 'a sign-in without a person',
    text: call(
      '"oauth": { "grant": "client_credentials", "clientId": "x", "clientSecret": "${TOKEN}", "issuer": "https://y.dev" }',
    ),
  },
  {
    about: 'a sign-in with a key',
    text: call(
      '"oauth": { "grant": "client_credentials", "clientId": "x", "privateKey": "${KEY}", "issuer": "https://y.dev" }',
    ),
  },
  { about: 'empty oauth beside a command', text: run('"oauth": {}') },
  { about: 'empty headers beside a command', text: run('"headers": {}') },
  { about: 'empty env beside an address', text: call('"env": {}, "args": []') },
  {
    about: 'all settings of a server',
    text: run(
      '"toolsearch": { "alwaysLoad": true, "deny": ["x"], "hints": { "x": "y" }, "prefix": false, "limits": { "connectMs": 1, "callMs": 2, "resultChars": 1000 } }',
    ),
  },
  {
    about: 'all settings',
    text: settings(
      '"mode": "auto", "callTools": "one", "pins": ["a/x"], "ranking": "words", "limits": {}, "pinDefinitions": true',
    ),
  },
  {
    about: 'a schema for editors',
    text: '{ "$schema": "x", "mcpServers": { "a": { "command": "x" } } }',
  },
  {
    about: 'variables in three ways',
    text: run('"args": ["${TOKEN}", "${env:TOKEN}", "${NOT:-x}", "$${X}", "$5", "$$"]'),
  },
]

/** What both refuse. */
export const BAD_EXAMPLES: readonly ConfigExample[] = [
  { about: 'a list', text: '[]' },
  { about: 'a text', text: '"x"' },
  { about: 'null', text: 'null' },
  { about: 'nothing in it', text: '{}' },
  { about: 'no servers', text: '{ "mcpServers": {} }' },
  { about: 'servers as a list', text: '{ "mcpServers": [] }' },
  { about: 'a server as a text', text: '{ "mcpServers": { "a": "npx" } }' },
  { about: 'an unknown key', text: '{ "mcpServers": { "a": { "command": "x" } }, "extra": 1 }' },
  { about: 'an unknown key of a server', text: server('"comand": "x"') },
  { about: 'a server without anything', text: '{ "mcpServers": { "a": {} } }' },
  { about: 'a command and an address', text: call('"command": "x"') },
  { about: 'two addresses', text: call('"serverUrl": "https://y.dev"') },
  { about: 'a command with arguments in it', text: server('"command": "npx -y thing"') },
  { about: 'an empty command', text: server('"command": " "') },
  { about: 'a number as an argument', text: run('"args": [80]') },
  { about: 'args as a text', text: run('"args": "-x"') },
  { about: 'true as a variable', text: run('"env": { "A": true }') },
  { about: 'a variable with = in its name', text: run('"env": { "A=B": "" }') },
  { about: 'an empty cwd', text: run('"cwd": ""') },
  { about: 'a wrong type', text: call('"type": "websocket"') },
  { about: 'a command of type http', text: run('"type": "http"') },
  { about: 'an address of type stdio', text: call('"type": "stdio"') },
  { about: 'type http and nothing else', text: server('"type": "http"') },
  { about: 'headers beside a command', text: run('"headers": { "A": "b" }') },
  { about: 'oauth beside a command', text: run('"oauth": { "clientId": "x" }') },
  { about: 'oauth as a flag', text: call('"oauth": true') },
  { about: 'an unknown key of oauth', text: call('"oauth": { "clientID": "x" }') },
  { about: 'an unknown grant', text: call('"oauth": { "grant": "password" }') },
  { about: 'a secret without a client', text: call('"oauth": { "clientSecret": "x" }') },
  { about: 'an empty client', text: call('"oauth": { "clientId": "" }') },
  {
    about: 'two kinds of client',
    text: call('"oauth": { "clientId": "x", "clientMetadataUrl": "https://y.dev/c" }'),
  },
  {
    about: 'a document without https',
    text: call('"oauth": { "clientMetadataUrl": "http://y.dev/c" }'),
  },
  {
    about: 'a sign-in without a person or a secret',
    text: call('"oauth": { "grant": "client_credentials", "clientId": "x" }'),
  },
  {
    about: 'a key for a person',
    text: call('"oauth": { "clientId": "x", "privateKey": "${KEY}" }'),
  },
  {
    about: 'a key beside a secret',
    text: call(
      '"oauth": { "grant": "client_credentials", "clientId": "x", "clientSecret": "y", "privateKey": "${KEY}", "issuer": "https://y.dev" }',
    ),
  },
  { about: 'an issuer that is no address', text: call('"oauth": { "issuer": "y.dev" }') },
  { about: 'a port that cannot be', text: call('"oauth": { "callbackPort": 0 }') },
  { about: 'env beside an address', text: call('"env": { "A": "b" }') },
  { about: 'cwd beside an address', text: call('"cwd": "x"') },
  { about: 'an address that is a path', text: server('"url": "/mcp"') },
  { about: 'an address of another kind', text: server('"url": "file:///x"') },
  { about: 'a header name with a space', text: call('"headers": { "A B": "c" }') },
  { about: 'a header with a line break', text: call('"headers": { "A": "b\\nc" }') },
  { about: 'a NUL in an argument', text: run('"args": ["\\u0000"]') },
  { about: 'an input of VS Code', text: run('"args": ["${input:key}"]') },
  { about: 'a folder that only an editor knows', text: run('"args": ["${workspaceFolder:x}"]') },
  { about: 'a variable that is never closed', text: run('"args": ["${TOKEN"]') },
  { about: 'a file of variables', text: run('"envFile": ".env"') },
  { about: 'disabled as a text', text: run('"disabled": "true"') },
  { about: 'a timeout in seconds', text: run('"timeout": 60') },
  { about: 'a name without letters', text: '{ "mcpServers": { "查询": { "command": "x" } } }' },
  { about: 'a prefix of its own', text: run('"toolsearch": { "prefix": "x" }') },
  { about: 'an unknown setting of a server', text: run('"toolsearch": { "denny": [] }') },
  { about: 'an unknown setting', text: settings('"modes": "auto"') },
  { about: 'an unknown mode', text: settings('"mode": "serach"') },
  { about: 'a pin without a server', text: settings('"pins": ["x"]') },
  { about: 'a limit of nothing', text: settings('"limits": { "callMs": 0 }') },
  { about: 'a limit that no timer knows', text: settings('"limits": { "callMs": 3000000000 }') },
  { about: 'half a millisecond', text: settings('"limits": { "callMs": 1.5 }') },
]

/** What a schema cannot see, and the reader refuses. */
export const BAD_BEYOND_SCHEMA: readonly ConfigExample[] = [
  {
    about: 'a name twice',
    text: '{ "mcpServers": { "a": { "command": "x" }, "a": { "command": "y" } } }',
  },
  { about: 'a key twice', text: run('"args": [], "args": []') },
  {
    about: 'names that make the same prefix',
    text: '{ "mcpServers": { "a b": { "command": "x" }, "a_b": { "command": "y" } } }',
  },
  {
    about: 'a name in both lists',
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
    about: 'a key that is none',
    text: call(
      '"oauth": { "grant": "client_credentials", "clientId": "x", "privateKey": "${TOKEN}", "issuer": "https://y.dev" }',
    ),
  },
  {
    about: 'a sign-in and a token',
    text: call('"oauth": {}, "headers": { "authorization": "Bearer x" }'),
  },
  { about: 'a variable that is not set', text: run('"args": ["${NOT_SET}"]') },
  { about: 'a folder that only an editor knows', text: run('"args": ["${workspaceFolder}"]') },
  { about: 'a pin of an unknown server', text: settings('"pins": ["b/x"]') },
  { about: 'an address with a wrong port', text: server('"url": "http://x:99999"') },
]
