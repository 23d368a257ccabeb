import type { Limits } from './gateway-config.ts'

/**
 * A configuration as people write it: the `mcpServers` of Claude Desktop, Claude Code, Cursor and
 * Windsurf, with the gateway's own settings under `toolsearch`.
 */
export interface ConfigFile {
  readonly mcpServers: Readonly<Record<string, ServerEntry>>
  readonly toolsearch?: GatewaySettings
}

/** A server: either `command`, to start it as a process, or `url`, to connect to it. */
export interface ServerEntry {
  /** @default 'stdio' with `command`, 'http' with `url` */
  readonly type?: 'stdio' | 'http' | 'sse'
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly disabled?: boolean
  readonly toolsearch?: {
    /** Lists the server's tools up front instead of deferring them. @default false */
    readonly alwaysLoad?: boolean
    /** Tools that are never offered. */
    readonly deny?: readonly string[]
    /** Further search words, by tool name. */
    readonly hints?: Readonly<Record<string, string>>
    readonly limits?: Partial<Limits>
    /** Whether tool names start with the server's name. @default true */
    readonly prefix?: boolean
  }
  /** Further fields, such as `oauth`. */
  readonly [field: string]: unknown
}

export interface GatewaySettings {
  /**
   * - `search`: agents see a fixed list of meta tools
   * - `dynamic`: like `search`, and found tools are added to the list (legacy clients)
   * - `passthrough`: agents see every tool
   * - `auto`: `passthrough` with few tools, otherwise `search`
   *
   * @default 'search'
   */
  readonly mode?: 'search' | 'dynamic' | 'passthrough' | 'auto'
  /** One `call_tool`, or three call tools by effect. @default 'by-effect' */
  readonly callTools?: 'one' | 'by-effect'
  /** Tools to list next to the meta tools, as `server/tool`. */
  readonly pins?: readonly string[]
  /** By keywords, or also by meaning. @default 'words-and-meaning' */
  readonly ranking?: 'words' | 'words-and-meaning'
  readonly limits?: Partial<Limits>
  /** Withholds tools whose definition changed until a person accepts it. @default false */
  readonly pinDefinitions?: boolean
  /** Answers plain tool calls directly instead of through the MCP SDK. @default true */
  readonly shortcut?: boolean
}
