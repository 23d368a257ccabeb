import type {
  AccessSettings,
  EmbedderConfig,
  GatewayConfig,
  Limits,
  OAuthConfig,
  ToolOverride,
} from './gateway-config.ts'

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
}

/** `toolsearch` at the top level. */
export type GatewaySettings = Partial<
  Omit<GatewayConfig, 'servers' | 'limits' | 'ranking' | 'embedder'>
> & {
  readonly ranking?: Exclude<GatewayConfig['ranking'], 'embedder'>
  readonly embedder?: EmbedderEntry
  readonly limits?: LimitSettings
}

/** `embedder` of the gateway. */
export type EmbedderEntry = Partial<EmbedderConfig>

export type LimitSettings = Partial<Omit<Limits, 'firstConnectMs'>>
