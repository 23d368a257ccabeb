import type {
  EncryptionEntry,
  IdentityEntry,
  IssuerEntry,
  IssuerPageEntry,
  IssuerProxyEntry,
  TokenExchangeEntry,
} from '../config-file.ts'
import { NOT_EMPTY, rename, SAFE_URL } from './common-rules.ts'
import type { ObjectRules } from './object-rules.ts'

const SAFE_URL_EXAMPLE = 'a URL that starts with https://, or with http://localhost'

export const IDENTITY_RULES: ObjectRules<IdentityEntry> = {
  properties: {
    url: {
      kind: 'text',
      url: SAFE_URL,
      example:
        'the public address of the gateway, such as https://tools.example.com. A proxy in front of the gateway handles TLS',
      description:
        'The public address of the gateway, without a path: the audience that tokens must have.',
    },
    issuers: {
      kind: 'objects',
      definition: 'issuer',
      description: 'The identity providers whose tokens are accepted.',
    },
    administrators: {
      kind: 'list',
      itemPattern: NOT_EMPTY,
      description:
        'Who is an administrator: `group:NAME`, `email:ADDRESS` or `subject:SUBJECT`, with the issuer and a space in front if there are several. A name alone is that of a group, or an email address if it contains @.',
    },
    clockSkewSeconds: {
      kind: 'integer',
      min: 0,
      max: 600,
      unit: 'seconds',
      default: 30,
      description: 'The tolerated difference between clocks when tokens expire, in seconds.',
    },
    apiKeys: {
      kind: 'boolean',
      default: true,
      description: 'Whether API keys are accepted, which `toolsearch keys` creates.',
    },
  },
  rejected: {
    issuer: 'Write "issuers": [{ "issuer": "https://…" }].',
    audience: 'Move it into the object under "issuers".',
  },
}

export const ISSUER_RULES: ObjectRules<IssuerEntry> = {
  properties: {
    issuer: {
      kind: 'text',
      url: SAFE_URL,
      example: SAFE_URL_EXAMPLE,
      description: 'The URL of the identity provider, exactly as in the claim `iss`.',
    },
    audience: {
      kind: 'list',
      isExpanded: true,
      itemPattern: NOT_EMPTY,
      isNeverEmpty: true,
      description: 'Accepted values of the claim `aud`. Defaults to the address of the gateway.',
    },
    jwksUrl: {
      kind: 'text',
      url: SAFE_URL,
      example: SAFE_URL_EXAMPLE,
      description: 'The URL of the signing keys. By default, from the metadata of the issuer.',
    },
    algorithms: {
      kind: 'list',
      itemPattern: /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519)$/,
      itemExample: 'one of RS256, PS256, ES256 and EdDSA; shared secrets are not supported',
      isNeverEmpty: true,
      description:
        'Accepted signature algorithms. Defaults to `RS256`, `ES256`, `PS256` and `EdDSA`.',
    },
    groupsClaim: {
      kind: 'text',
      isLiteral: true,
      description:
        'The claim with the groups of a person. A path such as `realm_access.roles` is allowed. Defaults to `groups`.',
    },
    requiredScopes: {
      kind: 'list',
      itemPattern: /^[^\s"\\]+$/,
      itemExample: 'one scope per item',
      description: 'Scopes that a token must have.',
    },
    proxy: {
      kind: 'object',
      definition: 'issuerProxy',
      description:
        'Serves metadata and client registration for a provider that lacks what MCP clients expect, such as Microsoft Entra ID.',
    },
    page: {
      kind: 'object',
      definition: 'issuerPage',
      description:
        'The client with which people sign in to the inspector. Defaults to the client of `proxy`.',
    },
  },
  rejected: { jwksUri: rename('jwksUrl'), url: rename('issuer'), aud: rename('audience') },
}

export const DEFAULT_ALGORITHMS: readonly string[] = ['RS256', 'ES256', 'PS256', 'EdDSA']
export const DEFAULT_GROUPS_CLAIM = 'groups'

export const ISSUER_PROXY_RULES: ObjectRules<IssuerProxyEntry> = {
  properties: {
    clientId: {
      kind: 'text',
      description:
        'The ID of the client that you registered with the provider, for all MCP clients. Allow it to redirect to `URL/oauth/callback`.',
    },
    clientSecret: {
      kind: 'text',
      description:
        'The secret of that client. Write `${NAME}` and keep the secret in that environment variable.',
    },
    scopes: {
      kind: 'list',
      itemPattern: /^[^\s"\\]+$/,
      itemExample: 'one scope per item',
      description: 'Scopes to request instead of those that a client asks for.',
    },
    keepIdTokens: {
      kind: 'boolean',
      default: false,
      description:
        'Keep ID tokens while their access tokens are valid, encrypted with them, for servers whose token exchange has `"subjectToken": "id-token"`.',
    },
    redirectUris: {
      kind: 'list',
      itemPattern: /^[a-z][a-z0-9+.-]*:\S+$/,
      itemExample: 'a URL such as https://claude.ai/api/mcp/auth_callback',
      description:
        'Addresses that clients may be redirected to. The port of a loopback address is ignored; one without a path permits every path. By default, all loopback addresses and no others.',
    },
  },
}

export const ISSUER_PAGE_RULES: ObjectRules<IssuerPageEntry> = {
  properties: {
    clientId: {
      kind: 'text',
      description:
        'The ID of a client that you registered with the provider. Allow it to redirect to `URL/sign-in/callback`.',
    },
    clientSecret: {
      kind: 'text',
      description:
        'The secret of that client. Write `${NAME}` and keep the secret in that environment variable.',
    },
    scopes: {
      kind: 'list',
      itemPattern: /^[^\s"\\]+$/,
      itemExample: 'one scope per item',
      description:
        'Scopes to request. Defaults to `openid`, `profile`, `email` and the required scopes.',
    },
  },
}

export const TOKEN_EXCHANGE_RULES: ObjectRules<TokenExchangeEntry> = {
  properties: {
    tokenUrl: {
      kind: 'text',
      url: SAFE_URL,
      example: SAFE_URL_EXAMPLE,
      description: 'The token endpoint of the identity provider.',
    },
    clientId: { kind: 'text', description: 'The ID of the client that the gateway uses there.' },
    clientSecret: {
      kind: 'text',
      description:
        'The secret of that client. Write `${NAME}` and keep the secret in that environment variable.',
    },
    audience: { kind: 'text', description: 'The parameter `audience` of the request.' },
    resource: { kind: 'text', description: 'The parameter `resource` of the request.' },
    scope: { kind: 'text', description: 'The scopes to request, separated by spaces.' },
    grant: {
      kind: 'choice',
      choices: ['token-exchange', 'on-behalf-of', 'id-jag'],
      default: 'token-exchange',
      description:
        '`token-exchange`: RFC 8693. `on-behalf-of`: the variant of Microsoft Entra ID. `id-jag`: enterprise-managed authorization; the identity provider issues an assertion for the authorization server of the server, where the gateway uses the client of `oauth`.',
    },
    subjectToken: {
      kind: 'choice',
      choices: ['access-token', 'id-token'],
      default: 'access-token',
      description:
        'What is exchanged: the access token that people send to the gateway, or the ID token that was issued with it. The latter requires an issuer with a `proxy` that has `keepIdTokens`.',
    },
  },
  rejected: { tokenEndpoint: rename('tokenUrl'), scopes: rename('scope') },
}

export const ENCRYPTION_RULES: ObjectRules<EncryptionEntry> = {
  properties: {
    key: {
      kind: 'text',
      description:
        'The key: 32 bytes, in base64 or hex. Write `${NAME}` and keep the key in that environment variable.',
    },
    keyFile: {
      kind: 'text',
      description:
        'A file with the key, 32 bytes in base64 or hex, relative to the folder of this configuration file.',
    },
    keyring: {
      kind: 'text',
      description: 'The name of an entry in the keyring of the system that contains the key.',
    },
    previousKeys: {
      kind: 'list',
      isExpanded: true,
      itemPattern: NOT_EMPTY,
      description: 'Earlier keys, which still decrypt what was stored with them.',
    },
  },
}
