import type {
  AccessSettings,
  EmbedderConfig,
  GatewayConfig,
  Limits,
  OAuthConfig,
  ScriptsConfig,
  ToolOverride,
} from './gateway-config.ts'
import type {
  AccessConfig,
  AuditConfig,
  EncryptionConfig,
  IdentityConfig,
  IssuerConfig,
  IssuerPageConfig,
  IssuerProxyConfig,
  ProfileConfig,
  RateLimitConfig,
  StateConfig,
  TeamConfig,
  TelemetryConfig,
  TokenExchangeConfig,
} from './team-config.ts'

/** The content of a configuration file, as people write it. */
export interface ConfigFile {
  readonly mcpServers?: Readonly<Record<string, ServerEntry>>
  readonly servers?: Readonly<Record<string, ServerEntry>>
  readonly toolsearch?: GatewaySettings
}

/** One server under `mcpServers` or `servers`. */
export interface ServerEntry {
  readonly type?: 'stdio' | 'http' | 'streamable-http' | 'sse'
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly serverUrl?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly disabled?: boolean
  readonly disabledTools?: readonly string[]
  readonly alwaysLoad?: boolean
  readonly timeout?: number
  readonly oauth?: OAuthEntry
  readonly toolsearch?: ServerSettings
}

/** `oauth` of a server. */
export type OAuthEntry = Partial<OAuthConfig>

/** `toolsearch` of a server. */
export interface ServerSettings extends Partial<AccessSettings> {
  readonly alwaysLoad?: boolean
  readonly description?: string
  readonly hints?: Readonly<Record<string, string>>
  readonly limits?: LimitSettings
  readonly overrides?: Readonly<Record<string, ToolOverride>>
  readonly prefix?: boolean
  readonly waitForTasks?: boolean
  readonly credentials?: CredentialsEntry
}

/** `credentials` of a server. */
type CredentialsEntry = 'shared' | 'person' | { readonly exchange: TokenExchangeEntry }

export type TokenExchangeEntry = Partial<TokenExchangeConfig>

/** `toolsearch` at the top level. */
export type GatewaySettings = Partial<
  Omit<GatewayConfig, 'servers' | 'limits' | 'scripts' | 'ranking' | 'embedder' | keyof TeamConfig>
> &
  TeamSettings & {
    readonly ranking?: Exclude<GatewayConfig['ranking'], 'embedder'>
    readonly embedder?: EmbedderEntry
    readonly limits?: LimitSettings
    readonly scripts?: boolean | ScriptSettings
  }

/** `scripts` of the gateway. */
export type ScriptSettings = Partial<ScriptsConfig>

/** `embedder` of the gateway. */
export type EmbedderEntry = Partial<EmbedderConfig>

export type LimitSettings = Partial<Omit<Limits, 'firstConnectMs'>>

/** The settings under `toolsearch` for gateways that serve several people. */
export interface TeamSettings {
  readonly identity?: IdentityEntry
  readonly access?: AccessEntry
  readonly profiles?: Readonly<Record<string, ProfileEntry>>
  readonly rateLimits?: readonly RateLimitEntry[]
  readonly audit?: AuditEntry
  readonly telemetry?: TelemetryEntry
  readonly state?: StateEntry
  readonly encryption?: EncryptionEntry
}

export type IdentityEntry = Partial<Omit<IdentityConfig, 'issuers' | 'administrators'>> & {
  readonly issuers?: readonly IssuerEntry[]
  /** Such as `group:NAME`, `email:ADDRESS` or `subject:SUBJECT`, with the issuer and a space in front. */
  readonly administrators?: readonly string[]
}

export type IssuerEntry = Partial<Omit<IssuerConfig, 'proxy' | 'page'>> & {
  readonly proxy?: IssuerProxyEntry
  readonly page?: IssuerPageEntry
}

export type IssuerPageEntry = Partial<IssuerPageConfig>

export type IssuerProxyEntry = Partial<IssuerProxyConfig>

export type AccessEntry = Partial<AccessConfig>

export type ProfileEntry = Partial<ProfileConfig>

export type RateLimitEntry = Partial<RateLimitConfig>

export type AuditEntry = Partial<AuditConfig>

export type TelemetryEntry = Partial<TelemetryConfig>

export type StateEntry = Partial<StateConfig>

export type EncryptionEntry = Partial<EncryptionConfig>
