import type { Catalogue, CatalogueChange } from '../../catalogue/catalogue.ts'
import type { SourceStates } from '../../catalogue/source-states.ts'
import type { ExecuteContext, ToolDefinition } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import {
  type Check,
  callback,
  check,
  name as checkName,
  checkOptions,
  fail,
  number,
  text,
} from '../../options/check-option.ts'
import { errorText } from '../../outputs/output-text.ts'
import type { ToolSearchError } from '../../tool-search-error.ts'
import { followChanges } from './follow-changes.ts'
import { callMcpTool, listMcpTools, type McpClient, type McpProgress } from './mcp-client.ts'
import { McpDisconnectedError, McpListError, McpSubscriptionError } from './mcp-errors.ts'

export interface ConnectMcpOptions {
  /** The name of the server. Its tools have the source `mcp:<name>`. */
  readonly name: string
  /**
   * Precedes the name of each tool, for example `files_`, so that servers can have tools of the same
   * name. Without it, a tool whose name is taken is left out and reported.
   * @default ''
   */
  readonly prefix?: string
  /**
   * How long a call may take, in milliseconds.
   * @default the client's timeout: 60 seconds
   */
  readonly timeout?: number
  /**
   * Receives the progress of calls. Each message starts the timeout anew.
   * @default progress is not requested
   */
  readonly onProgress?: (progress: McpProgress, call: McpProgressCall) => void
  /**
   * Receives what goes wrong in the background: a list that could not be read after a change, a
   * subscription that failed, a tool that was left out. An error that it throws is ignored.
   * @default errors are ignored; `connection.rejected` has the tools that were left out
   */
  readonly onError?: (error: ToolSearchError) => void
}

/** The call that a progress message belongs to. */
export interface McpProgressCall {
  /** The name of the tool in the catalogue. */
  readonly tool: string
  readonly sessionId: string
  readonly callId?: string
}

const OPTIONS = {
  name: checkName,
  prefix: text,
  timeout: number(1),
  onProgress: callback,
  onError: callback,
} satisfies Record<keyof ConnectMcpOptions, Check>

const checkTarget = check(
  (value) => isObject(value) && isObject(value.catalogue),
  'pass the result of createToolSearch(), or a session',
)
const checkClient = check(
  (value) => isObject(value) && typeof value.listTools === 'function',
  'pass a Client of @modelcontextprotocol/sdk or @modelcontextprotocol/client',
)

/** Where the tools go: a `ToolSearch`, or a `Session` for tools of one conversation. */
export interface McpTarget {
  readonly catalogue: Catalogue
  readonly sources?: SourceStates
}

/** The tools of an MCP server in a catalogue. */
export interface McpConnection {
  /** The tools of the last list that were left out, because they are invalid or their name is taken. */
  readonly rejected: CatalogueChange['rejected']
  /** Reads the list of tools again, for example after the client reconnected. @throws McpListError */
  refresh(): Promise<void>
  /** Removes the tools, and stops following changes. The client stays connected. */
  close(): void
}

/** The connections of each catalogue that are neither closed nor lost, by name. */
const openNames = new WeakMap<Catalogue, Map<string, McpClient>>()

/**
 * Adds the tools of a connected MCP client to a catalogue, and follows their changes. Calls run on
 * the client; their results stay as they are.
 *
 * @example
 * const files = await connectMcp(toolSearch, client, { name: 'files' })
 *
 * @throws McpListError if the server does not list its tools
 * @throws InvalidOptionError also if the name belongs to another open connection of the catalogue
 */
export async function connectMcp(
  target: McpTarget,
  client: McpClient,
  options: ConnectMcpOptions,
): Promise<McpConnection> {
  checkTarget(target, 'target')
  checkClient(client, 'client')
  checkOptions(options, 'options', OPTIONS)
  checkName(options.name, 'name')
  const { name, prefix = '', timeout, onProgress, onError } = options
  const { catalogue, sources } = target
  const source = `mcp:${name}` as const
  const names = openNames.get(catalogue) ?? new Map<string, McpClient>()
  openNames.set(catalogue, names)
  if (names.has(name)) {
    fail(name, 'name', 'use another name, or close the connection that has this one first')
  }
  names.set(name, client)
  const executes = new Map<string, NonNullable<ToolDefinition['execute']>>()
  let rejected: CatalogueChange['rejected'] = []
  let isConnected = true
  let isClosed = false
  let isStale = false
  let refreshing: Promise<void> | undefined

  sources?.set({ source, state: 'connecting' })
  const changes = followChanges(client, {
    onChange: () => void refresh().catch(report),
    onDisconnect() {
      isConnected = false
      // another client may take its place
      if (names.get(name) === client) names.delete(name)
      sources?.set({ source, state: 'failed', detail: 'The connection was lost.' })
    },
    onSubscriptionError: (error) => report(new McpSubscriptionError(name, error)),
  })
  try {
    await refresh()
  } catch (error) {
    changes.stop()
    names.delete(name)
    throw error
  }

  return {
    get rejected() {
      return rejected
    },
    refresh,
    close() {
      if (isClosed) return
      isClosed = true
      changes.stop()
      if ((names.get(name) ?? client) !== client) return
      names.delete(name)
      catalogue.removeSource(source)
      sources?.remove(source)
    },
  }

  function report(error: ToolSearchError): void {
    try {
      onError?.(error)
    } catch {
      // Nobody waits for what happens in the background.
    }
  }

  /** A change during a refresh starts another one, so the last list is never an old one. */
  function refresh(): Promise<void> {
    isStale = true
    refreshing ??= readLists().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  async function readLists(): Promise<void> {
    while (isStale && !isClosed) {
      isStale = false
      // Before the list is read, so that no change is missed.
      await changes.subscribe()
      const tools = await listMcpTools(client).catch((error: unknown) => {
        if (executes.size === 0) sources?.set({ source, state: 'failed', detail: errorText(error) })
        throw new McpListError(name, error)
      })
      if (isClosed || (names.get(name) ?? client) !== client) return
      names.set(name, client)
      isConnected = true
      const change = catalogue.sync(source, tools.map(toDefinition), { problems: 'skip' })
      rejected = change.rejected
      sources?.set({ source, state: 'ready' })
      for (const error of rejected) report(error)
    }
  }

  function toDefinition(tool: { readonly name: string }): ToolDefinition {
    let execute = executes.get(tool.name)
    if (execute === undefined) {
      // The same function every time: another one would make the tool a changed tool.
      execute = (input, context) => call(tool.name, input, context)
      executes.set(tool.name, execute)
    }
    // a tool of a server is a tool, whatever fields the server adds
    return { ...tool, skill: undefined, name: prefix + tool.name, execute }
  }

  function call(tool: string, input: Record<string, unknown>, context: ExecuteContext) {
    if (!isConnected) throw new McpDisconnectedError(name)
    const { signal, sessionId, callId } = context
    const details = { tool: prefix + tool, sessionId, ...(callId !== undefined && { callId }) }
    return callMcpTool(
      client,
      { name: tool, arguments: input },
      {
        signal,
        ...(timeout !== undefined && { timeout }),
        ...(onProgress && {
          resetTimeoutOnProgress: true,
          onprogress: (progress: McpProgress) => onProgress(progress, details),
        }),
      },
    )
  }
}
