/** What one gateway serves and how: a configuration file once read, with every default in place. */
export interface GatewayConfig {
  readonly servers: readonly ServerConfig[]
  readonly mode: DownstreamMode
  /** One `call_tool`, or three by what the inner tool does. */
  readonly callTools: 'one' | 'by-effect'
  /** Tools that are listed directly beside the search, as `server/tool`. */
  readonly pins: readonly string[]
  /** By words alone, or by their meaning as well, which takes more memory. */
  readonly ranking: 'words' | 'words-and-meaning'
  readonly limits: Limits
  /** A tool whose definition changed since it was approved is not shown or called until accepted. */
  readonly pinDefinitions: boolean
}

/**
 * - `search`: a fixed list of meta tools; what is found is called through them
 * - `dynamic`: found tools join the list of that connection (clients up to 2025-11-25)
 * - `passthrough`: everything is listed
 * - `auto`: `passthrough` while few tools are there, `search` above
 */
type DownstreamMode = 'search' | 'dynamic' | 'passthrough' | 'auto'

export interface ServerConfig {
  readonly name: string
  readonly connection: ServerConnection
  /** Its tools are listed directly. */
  readonly alwaysLoad: boolean
  /** Its name stands before the names of its tools. One server at most may do without. */
  readonly prefix: boolean
  /** Tools it must not offer. */
  readonly deny: readonly string[]
  /** Further words by which its tools are found, by tool name. */
  readonly hints: Readonly<Record<string, string>>
  readonly limits: Limits
  readonly disabled: boolean
}

export type ServerConnection =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      /** Given to the child beside the few variables that every child gets. */
      readonly env: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | {
      /** `http` is Streamable HTTP; `sse` the older transport. */
      readonly kind: 'http' | 'sse'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly oauth?: OAuthConfig
    }

/** What a sign-in needs to know beyond what a server says of itself. */
export interface OAuthConfig {
  /** With `client_credentials` the gateway signs in by itself, without a person. */
  readonly grant: 'authorization_code' | 'client_credentials'
  /** A client that was registered by hand. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** Instead of a secret, with `client_credentials`: what the client signs with, as PEM (PKCS #8). */
  readonly privateKey?: string
  /** Where a document about the client is published, for authorization servers that read it. */
  readonly clientMetadataUrl?: string
  /** Asked for instead of what the server proposes, with spaces between. */
  readonly scope?: string
  /** The one authorization server that may get what the client has. */
  readonly issuer?: string
  /** Where the browser comes back to, as `http://localhost:PORT/callback`. @default a free port of 127.0.0.1 */
  readonly callbackPort?: number
}

export interface Limits {
  /** @default 10_000 */
  readonly connectMs: number
  /** @default 30_000 */
  readonly callMs: number
  /** Characters of a result that are given at once. @default 100_000 */
  readonly resultChars: number
}
