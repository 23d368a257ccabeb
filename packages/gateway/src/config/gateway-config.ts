import type { ConfigProblem } from './config-problem.ts'
import type { CredentialsConfig, TeamConfig } from './team-config.ts'

/** The configuration of a gateway, read from a file, with every default filled in. */
export interface GatewayConfig extends AccessSettings, TeamConfig {
  readonly servers: readonly ServerConfig[]
  readonly mode: DownstreamMode
  /** One `call_tool`, or one meta tool for each effect of the tool to call. */
  readonly callTools: 'one' | 'by-effect'
  /** Folders with skills, as absolute paths. */
  readonly skills: readonly string[]
  /** Tools listed directly next to the search tool, as `server/tool`. */
  readonly pins: readonly string[]
  /**
   * Keyword matching only, or keyword and semantic matching: with the built-in table, with the
   * sentence encoder of `toolsearch-encoder`, or with `embedder`.
   */
  readonly ranking: 'words' | 'words-and-meaning' | 'encoder' | 'embedder'
  /** The embedding model to use if `ranking` is `embedder`. */
  readonly embedder?: EmbedderConfig
  /** Whether queries in other languages are translated to English. */
  readonly translateQueries: boolean
  /** Whether searches learn from the calls that followed them, and from whose. */
  readonly learning: 'off' | 'person' | 'shared'
  readonly limits: Limits
  /** What scripts may use. Absent if agents cannot run scripts. */
  readonly scripts?: ScriptsConfig
  /** Which tools are hidden and rejected until a person accepts them. `new` includes `changed`. */
  readonly approve: 'off' | 'changed' | 'new'
  /** Whether plain tool calls are answered directly instead of through the MCP SDK. */
  readonly shortcut: boolean
  /** After how many seconds a call is answered with a task, if the client knows tasks. 0 for never. */
  readonly taskSeconds: number
  /** After how many seconds the response stream of a call is closed, so that the client reconnects. */
  readonly streamSeconds?: number
  /** Whether `toolsearch serve` keeps searches and calls on disk. */
  readonly history: 'on' | 'off'
  /** How long they are kept, in days. */
  readonly historyDays: number
  /** How much disk space they may take. */
  readonly historyMegabytes: number
}

/** What one script may use. */
export interface ScriptsConfig {
  /** For the whole script, without the time in which a person answers a question. */
  readonly timeoutMs: number
  /** For the script's own code between two calls. */
  readonly cpuMs: number
  readonly memoryMb: number
  readonly calls: number
  readonly parallelCalls: number
  /** The length of the script itself, in characters. */
  readonly chars: number
  /** The length of what it returns, and of what it logs, in characters. */
  readonly outputChars: number
}

/** Which tools are offered: those that `allow`, `deny` and `readOnly` all permit. */
export interface AccessSettings {
  /** Names, patterns and effects of which a tool must match one. Without it, every tool passes. */
  readonly allow?: readonly string[]
  /** Names, patterns and effects of tools that are never offered. */
  readonly deny: readonly string[]
  /** Whether only tools with the effect `read` are offered. */
  readonly readOnly: boolean
}

/**
 * - `search`: a fixed list of meta tools; found tools are called through them
 * - `dynamic`: the same, plus the tools found over this connection (clients up to 2025-11-25)
 * - `passthrough`: every tool is listed
 * - `auto`: `passthrough` for few tools, otherwise `search`
 */
export type DownstreamMode = 'search' | 'dynamic' | 'passthrough' | 'auto'

export interface ServerConfig extends AccessSettings {
  readonly name: string
  readonly connection: ServerConnection
  /** Whether its tools are listed directly. */
  readonly alwaysLoad: boolean
  /** Whether the names of its tools start with the name of the server. False for at most one server. */
  readonly prefix: boolean
  /** What the server is for, in a few words for the model. */
  readonly description?: string
  /** Tools that are never offered, by their exact names. */
  readonly disabledTools: readonly string[]
  /** Additional search terms by tool name. */
  readonly hints: Readonly<Record<string, string>>
  /** How tools are presented to agents, by the server's name of the tool. */
  readonly overrides: Readonly<Record<string, ToolOverride>>
  readonly limits: Limits
  /**
   * Whether calls of clients that do not know tasks wait for tools that run only as tasks, instead of
   * being rejected. @default true
   */
  readonly waitForTasks?: boolean
  /**
   * Whose credentials the server gets. With `person`, values of `env` and `headers` may contain
   * `${person:NAME}`, which stays in the text until the person is known.
   */
  readonly credentials: CredentialsConfig
  readonly disabled: boolean
  /** What is wrong with its entry. A server with problems is never started. */
  readonly problems?: readonly ConfigProblem[]
}

/** What agents see instead of parts of a server's definition of a tool. */
export interface ToolOverride {
  /** Replaces the tool's own name. The server's prefix is added as usual. */
  readonly name?: string
  readonly title?: string
  readonly description?: string
  /** Replaces single annotations; the others stay. */
  readonly annotations?: AnnotationOverride
  /** Parameters that agents don't see because they always have the same value. */
  readonly parameters?: Readonly<Record<string, FixedParameter>>
}

export interface AnnotationOverride {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

export interface FixedParameter {
  /** Sent with every call, whatever the agent passes. */
  readonly value: JsonValue
}

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

export type ServerConnection =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      /** Added to the few variables that every child process receives. */
      readonly env: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | {
      /** `http` is Streamable HTTP; `sse` is the deprecated HTTP+SSE transport. */
      readonly kind: 'http' | 'sse'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly oauth?: OAuthConfig
    }

/** OAuth settings that cannot be discovered from the server. */
export interface OAuthConfig {
  /**
   * With `client_credentials`, the gateway signs in without a person. With `jwt-bearer`, a token that the
   * platform issued to the gateway is the grant (RFC 7523).
   */
  readonly grant: 'authorization_code' | 'client_credentials' | 'jwt-bearer'
  /** The ID of an OAuth client that was registered manually. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** The signing key in PEM format (PKCS #8), instead of a secret. For `client_credentials` only. */
  readonly privateKey?: string
  /**
   * A file with a JWT that the platform issued to the gateway, such as a projected token of Kubernetes:
   * the assertion of `jwt-bearer`, or for `client_credentials` the client's authentication. Read for
   * every token request, because platforms replace it.
   */
  readonly assertionFile?: string
  /** The JWT itself, instead of `assertionFile`. */
  readonly assertion?: string
  /** The URL of a client metadata document, for authorization servers that support it. */
  readonly clientMetadataUrl?: string
  /** The scopes to request instead of the ones that the server proposes, separated by spaces. */
  readonly scope?: string
  /** The only authorization server that may receive the client's credentials. */
  readonly issuer?: string
  /**
   * Whether tokens are bound to a key of the gateway (RFC 9449): if the server and its authorization
   * server declare support, always, or never. @default 'auto'
   */
  readonly dpop?: 'auto' | 'required' | 'off'
  /** The redirect URL is then `http://localhost:PORT/callback`. @default a free port on 127.0.0.1 */
  readonly callbackPort?: number
}

/** An embedding model behind OpenAI's `/embeddings` API. */
export interface EmbedderConfig {
  /** The URL up to the version, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  /** Whether to subtract the mean of all tools from every vector. */
  readonly centred: boolean
}

export interface Limits {
  /** How long connecting may take, from the start of the server, in milliseconds. @default 10_000 */
  readonly connectMs: number
  /**
   * How long it may take for a local server that has never been connected, so that nothing about it
   * is cached. `connectMs` if that is configured. @default 60_000
   */
  readonly firstConnectMs?: number
  /** How long a call may take without a sign of progress, in milliseconds. @default 30_000 */
  readonly callMs: number
  /** The maximum number of characters of a result to return at once. @default 100_000 */
  readonly resultChars: number
  /** The maximum size of a message from a server, in bytes. @default 16 MB */
  readonly messageBytes?: number
}
