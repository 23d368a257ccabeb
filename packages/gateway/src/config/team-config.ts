import type { AccessSettings, DownstreamMode } from './gateway-config.ts'

/** Settings for gateways that serve several people. None of them is needed for one person. */
export interface TeamConfig {
  /** How people sign in to the gateway. Without it, one shared token or none. */
  readonly identity?: IdentityConfig
  /** Who may use what. Without it, everybody may use everything that is offered. */
  readonly access?: AccessConfig
  /** Selections of servers and tools with an address of their own, by name. */
  readonly profiles: Readonly<Record<string, ProfileConfig>>
  readonly rateLimits: readonly RateLimitConfig[]
  readonly audit?: AuditConfig
  readonly telemetry?: TelemetryConfig
  readonly state: StateConfig
  /** Where the key comes from that encrypts stored credentials. */
  readonly encryption?: EncryptionConfig
}

export interface IdentityConfig {
  /** The public address of the gateway, without a path: the audience that tokens must have. */
  readonly url: string
  readonly issuers: readonly IssuerConfig[]
  readonly administrators: readonly AdministratorConfig[]
  /** Tolerated difference between clocks. */
  readonly clockSkewSeconds: number
  /** Whether API keys are accepted. */
  readonly apiKeys: boolean
}

/** Who is an administrator: the person to whom an issuer gives this subject or verified email address, or this group. */
export interface AdministratorConfig {
  readonly issuer: string
  readonly kind: 'group' | 'subject' | 'email'
  readonly name: string
}

export interface IssuerConfig {
  readonly issuer: string
  /** Accepted values of `aud`. @default the address of the gateway */
  readonly audience?: readonly string[]
  /** @default from the issuer's metadata */
  readonly jwksUrl?: string
  /** @default ['RS256', 'ES256', 'PS256', 'EdDSA'] */
  readonly algorithms: readonly string[]
  /** The claim with the groups; a path such as `realm_access.roles` is allowed. */
  readonly groupsClaim: string
  /** Scopes that a token must have. */
  readonly requiredScopes: readonly string[]
  /** Serves metadata and registration for a provider that lacks what MCP clients need. */
  readonly proxy?: IssuerProxyConfig
  /** The client with which people sign in to the inspector. @default the client of `proxy` */
  readonly page?: IssuerPageConfig
}

/** A client that is registered with the provider and may redirect to `URL/sign-in/callback`. */
export interface IssuerPageConfig {
  readonly clientId: string
  readonly clientSecret?: string
  /** @default ['openid', 'profile', 'email'] and the required scopes */
  readonly scopes?: readonly string[]
}

export interface IssuerProxyConfig {
  /**
   * The client that is registered with the provider by hand, for all MCP clients. It must be allowed
   * to redirect to `URL/oauth/callback`.
   */
  readonly clientId: string
  readonly clientSecret?: string
  /** Requested from the provider instead of what a client asks for. */
  readonly scopes: readonly string[]
  /**
   * Addresses that clients may be redirected to. The port of a loopback address is ignored; a loopback
   * address without a path permits every path. Empty for all loopback addresses, and no others.
   */
  readonly redirectUris: readonly string[]
  /**
   * Whether ID tokens are kept while their access tokens are valid, encrypted with them, for servers with
   * `subjectToken: "id-token"`. @default false
   */
  readonly keepIdTokens?: boolean
}

export interface AccessConfig {
  /** In any order: a matching `deny` overrules every `allow`. */
  readonly rules: readonly AccessRuleConfig[]
  /** Files with Cedar policies, relative to the configuration file. */
  readonly cedar: readonly string[]
}

/** Allows or denies tools, resources and prompts to some people. */
export interface AccessRuleConfig {
  /** Names, patterns and effects, as in `allow` of a server; `resource:…` and `prompt:…` for others. */
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** Groups that the rule is for. Without `groups` and `people`, it is for everybody. */
  readonly groups?: readonly string[]
  /** Subjects, email addresses or ids of API keys that the rule is for. */
  readonly people?: readonly string[]
  /**
   * Restricts an `allow` to calls with these arguments: for each parameter (a path such as
   * `issue.project` is allowed) the permitted values or patterns.
   */
  readonly arguments?: Readonly<Record<string, readonly ArgumentValue[]>>
}

/** A permitted value. A string is a pattern, in which `*` stands for any characters. */
export type ArgumentValue = string | number | boolean | null

export interface ProfileConfig extends AccessSettings {
  /** For people, and for the model at the start of the instructions. */
  readonly description?: string
  /** The servers it contains. @default all */
  readonly servers?: readonly string[]
  /** @default the mode of the gateway */
  readonly mode?: DownstreamMode
  /** @default the pins of the gateway */
  readonly pins?: readonly string[]
  /** Replaces the gateway's own instructions. */
  readonly instructions?: string
}

export interface RateLimitConfig {
  /** What is counted separately. `everybody` counts all requests together. */
  readonly each: 'person' | 'tool' | 'server' | 'everybody'
  /** Tools that it applies to: names and patterns. @default all */
  readonly tools?: readonly string[]
  /** Groups and people that it applies to. @default everybody */
  readonly groups?: readonly string[]
  readonly people?: readonly string[]
  /** How many calls are allowed in each period. */
  readonly calls?: number
  /** How many bytes of results are allowed in each period. */
  readonly resultBytes?: number
  /** @default 'minute' */
  readonly per: 'second' | 'minute' | 'hour' | 'day'
  /** How many calls may run at the same time. */
  readonly concurrent?: number
}

export interface AuditConfig {
  /** `file`: JSON lines in the state folder. `postgres`: in the database of `state.postgres`. */
  readonly to: 'file' | 'postgres'
  /** What is recorded of arguments: nothing, names and types, values without secrets, or all values. */
  readonly arguments: 'none' | 'shape' | 'redacted' | 'full'
  /** How long entries are kept, in days. */
  readonly days: number
  /** Whether a request fails if its entry cannot be stored. */
  readonly required: boolean
}

export interface TelemetryConfig {
  /** The OTLP endpoint over HTTP, without `/v1/traces`. */
  readonly otlpUrl?: string
  readonly otlpHeaders: Readonly<Record<string, string>>
  /** The port of the Prometheus endpoint. */
  readonly metricsPort?: number
  /** @default '127.0.0.1' */
  readonly metricsHost: string
  /** `json` writes structured logs to stderr. */
  readonly logs: 'text' | 'json'
}

export interface StateConfig {
  /** The URL of Redis or Valkey: sessions, long results, counters, locks, announcements. */
  readonly redis?: string
  /** The URL of PostgreSQL: sign-ins, approvals, keys, audit, history, saved queries. */
  readonly postgres?: string
  /** Starts the names of all keys in Redis. @default 'toolsearch:' */
  readonly redisPrefix: string
}

/** Exactly one of them. The key has 32 bytes, in base64 or hex. */
export interface EncryptionConfig {
  readonly key?: string
  readonly keyFile?: string
  /** The name of an entry in the keyring of the system. */
  readonly keyring?: string
  /** Earlier keys, which still decrypt what was stored with them. */
  readonly previousKeys: readonly string[]
}

/**
 * Whose credentials a server gets.
 *
 * - `shared`: those of the configuration or of `toolsearch sign-in`, for everybody
 * - `person`: each person's own sign-in, or own values for `${person:NAME}` in `env` and `headers`
 * - `exchange`: a token that the identity provider issues in exchange for the person's own (RFC 8693)
 */
export type CredentialsConfig =
  | { readonly kind: 'shared' }
  | { readonly kind: 'person' }
  | { readonly kind: 'exchange'; readonly exchange: TokenExchangeConfig }

export interface TokenExchangeConfig {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly audience?: string
  readonly resource?: string
  readonly scope?: string
  /**
   * - `token-exchange`: RFC 8693
   * - `on-behalf-of`: Microsoft Entra's own variant of it
   * - `id-jag`: the identity provider issues an assertion for the server's own authorization server,
   *   which exchanges it for an access token; `oauth` of the server has the client there
   * @default 'token-exchange'
   */
  readonly grant?: 'token-exchange' | 'on-behalf-of' | 'id-jag'
  /**
   * What is exchanged: the access token of the request, or the ID token that was issued with it, which
   * `keepIdTokens` of the proxy keeps. @default 'access-token'
   */
  readonly subjectToken?: 'access-token' | 'id-token'
}
