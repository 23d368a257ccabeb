/** Where an MCP client stores its servers, and how it writes them. */
export interface KnownClient {
  readonly id: string
  readonly label: string
  /** Files that may exist on this machine; the first is the one that applies to every project. */
  files(machine: Machine): readonly ClientFile[]
  /** Where the servers are in the content of a file. */
  groups(content: unknown, at: ClientFile): readonly ServerGroup[]
  /**
   * Matches the variables `${…}` that mean the same in our file. The client leaves any other `${…}`
   * unchanged, except for its own variables.
   */
  readonly variables: RegExp
  /** Matches the variables that our file does not have, such as `${workspaceFolder}`. */
  readonly ownVariables?: RegExp
  /** Set if the servers are a list with names instead of an object. */
  readonly isList?: true
  /**
   * Converts one of its entries to the format of our file. `$` signs that the client does not treat as a
   * variable are already escaped. Absent if the format is the same.
   */
  convert?(entry: Entry, context: ConvertContext): ConvertedEntry
  /** The entry for the gateway. Undefined if the client does not support that kind of server. */
  entry(gateway: GatewayTarget): Entry | undefined
}

export type Entry = Readonly<Record<string, unknown>>

export type ConvertedEntry =
  | { readonly entry: Entry }
  /** Why the entry cannot be imported. */
  | { readonly reason: string }
  /** The entry is part of the client itself, such as a built-in tool. */
  | { readonly isBuiltIn: true }

interface ConvertContext {
  readonly name: string
  readonly env: Machine['env']
}

export interface ClientFile {
  readonly file: string
  /** The project folder of the file; undefined if the file applies to every project. */
  readonly project?: string
  /** Servers of the file that are turned off in another file. */
  readonly disabled?: readonly string[]
  /** Set if the file exists, but its format is not known. The text says what to do instead. */
  readonly notUnderstood?: string
}

export interface ServerGroup {
  /** The keys that lead to an object of servers by name, or to a list of servers with a `name`. */
  readonly path: readonly string[]
  readonly project?: string
  /** Servers that are turned off elsewhere in the file. */
  readonly disabled?: readonly string[]
}

/** What a client connects to: a program that it starts, or a URL. */
export type GatewayTarget = Program | { readonly url: string; readonly headers?: Entry }

export interface Program {
  readonly command: string
  readonly args: readonly string[]
}

export interface Machine {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}
