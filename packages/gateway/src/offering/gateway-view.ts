import type {
  SearchOutcome,
  Session,
  SessionSearchOptions,
  ToolAnnotations,
  ValidateArguments,
} from 'toolsearch'
import type { Effect } from '../access/effect.ts'
import type { Decision, Rights } from '../access/rights.ts'
import type { Caller } from '../identity/caller.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { textOf } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { type ErrorAnswer, UpstreamError } from '../protocol/upstream-error.ts'
import type { ScriptThreads } from '../scripts/script-threads.ts'
import { nameOfUri, placeOfSkill } from '../skills/skill-names.ts'
import { answerCalls } from './answer-calls.ts'
import type { SkillTexts } from './approvals/skill-texts.ts'
import { failure } from './call-failure.ts'
import { type CallResult, type LargeResults, resultsWithRights } from './large-results.ts'
import { isCallTool } from './meta-tools/call-tools.ts'
import { DESCRIBE } from './meta-tools/describe-tools.ts'
import { META_TOOLS } from './meta-tools/meta-tools.ts'
import { annotationsOf } from './offer-plan.ts'
import { createPresentResult } from './present-result.ts'
import { createRunningTasks, type RunningTasks } from './running-tasks.ts'
import type { SharedTools } from './shared-tools.ts'
import { createSkillFiles, type SkillFiles } from './skill-files.ts'
import type { TaskRecords } from './task-records.ts'
import { createToolListing } from './tool-listing.ts'
import type { UpstreamSet } from './upstream-set.ts'
import type { UseFollower } from './use-follower.ts'
import type { ViewConfig } from './view-config.ts'
import type { VisibleTools } from './visible-tools.ts'

/**
 * What a caller can list, search, call and read, independent of the protocol that serves it. What the
 * caller may not use does not exist in its view: no list, count, name, note or error reveals it.
 * Callers with the same rights share a view.
 */
export interface GatewayView {
  readonly config: ViewConfig
  /** Decides about resources and prompts. Tools and servers are already filtered. */
  readonly rights: Rights
  /** The servers of which the caller may use anything. */
  readonly servers: UpstreamSet
  /** Whether found tools are added to the tool list of the connection that found them. */
  readonly isDynamic: boolean
  /** Resolves when the tools of all servers are known, including those of a person's own servers. */
  ready(): Promise<void>
  /**
   * The tools that agents see, in a stable order. Same reference until the list changes.
   *
   * @param found names of further tools to append
   */
  listTools(found?: Iterable<string>): readonly McpTool[]
  /** What `listTools` last returned, without found tools. Undefined if nobody has listed tools. */
  readonly lastList: readonly McpTool[] | undefined
  /** The skills that the caller may read. */
  readonly skills: SkillFiles
  /** The name under which the gateway offers a server's tool or prompt. */
  nameOf(server: string, name: string): string
  /** What a call is for: the inner tool of a call tool. Undefined if the caller may not know it. */
  targetOf(params: JsonObject): CallTarget | undefined
  /**
   * Calls a meta tool or a server's tool. Failures are results with `isError`; rejects only with an
   * error response of a server that `options.rejectsWith` selects.
   */
  callTool(params: JsonObject, options?: CallOptions): Promise<CallResult>
  /** What servers run as tasks for the caller. */
  readonly tasks: RunningTasks
  /** Answers a search like `tool_search`, in any session over the same catalogue. */
  searchIn(session: Session, args: JsonObject, options?: SearchInOptions): Promise<SearchAnswer>
  /** Runs the listener when `listTools` returns something new. Returns a function that stops it. */
  onListChanged(listener: () => void): () => void
}

export interface SearchInOptions extends Omit<SessionSearchOptions, 'result'> {
  /** Whether the answer says how often the session ran this search before. @default true */
  readonly countsRepeats?: boolean
}

interface SearchAnswer {
  /** With several queries: their results as one. */
  readonly outcome: SearchOutcome
  /** What each query found. */
  readonly searches: readonly FoundTools[]
  readonly result: CallResult
  /** The entries of the answer that contain the parameters of their tool. */
  readonly definitions: readonly JsonObject[]
}

/** What one query found: names of tools, best first. */
export interface FoundTools {
  readonly query: string
  readonly hits: readonly string[]
  /** The nearest tools, if nothing matches for sure. */
  readonly candidates: readonly string[]
}

/** What a request is for, by the names of the server. */
export interface CallTarget {
  readonly kind: 'tool' | 'skill' | 'meta'
  readonly server?: string
  readonly name: string
  /** Of a tool, with overrides. */
  readonly annotations?: ToolAnnotations
}

export interface CallOptions extends RequestOptions {
  /** Who makes the call. @default the person at this machine */
  readonly caller?: Caller
  /** Receives the names of the tools that a search found, best first. */
  readonly onFound?: (names: readonly string[]) => void
  /** Receives what each query of a search found. */
  readonly onSearched?: (searches: readonly FoundTools[]) => void
  /** Receives the tools whose parameters the answer contains, as it describes them. */
  readonly onDefinitions?: (definitions: readonly JsonObject[]) => void
  /** Receives the unmodified result of a server's tool. */
  readonly onResult?: (server: string, result: JsonObject) => void
  /** Receives each decision about a tool, for the audit log. Must not throw. */
  readonly onDecision?: (target: CallTarget, decision: Decision) => void
  /**
   * Whether to reject with a server's error response. `isDirect` is true if the call named the
   * server's tool itself instead of a call tool. @default never: errors become results
   */
  readonly rejectsWith?: (answer: ErrorAnswer, isDirect: boolean) => boolean
  /** The script that makes the call. Absent for calls of the agent itself. */
  readonly script?: CallingScript
  /** Identifies the script that the call runs, if it runs one. @default a new id */
  readonly scriptId?: string | undefined
  /**
   * Makes a call of a script, with everything that surrounds a call of the agent itself.
   * @default `callTool` of the view
   */
  readonly callInner?: (params: JsonObject, options: InnerCallOptions) => Promise<CallResult>
  /**
   * Surrounds the reading of each of several skills, as if it were a request of its own. Resolves to the
   * reason if it was refused. @default nothing surrounds it
   */
  readonly readInner?: (
    target: CallTarget,
    read: (onSent: CallOptions['onSent']) => Promise<void>,
  ) => Promise<string | undefined>
  /** Runs before each request to a server in which a skill is read. Must not throw. */
  readonly onSent?: (() => void) | undefined
  /** The client that makes the call, if known. */
  readonly client?: GatewayClient | undefined
}

/** A script while it runs. */
interface CallingScript {
  readonly id: string
  /** Calls of tools with a greater effect are refused. */
  readonly effect: Effect
}

/** What a script passes on with its calls. */
export type InnerCallOptions = RequestOptions & Required<Pick<CallOptions, 'script'>>

/** A client program. Where the protocol has connections, each connection has its own id. */
export interface GatewayClient {
  readonly id: string
  readonly name: string
  /** The id of the person who uses it. Absent for the person at this machine. */
  readonly person?: string
}

export interface GatewayViewOptions {
  readonly tools: VisibleTools
  readonly servers: UpstreamSet
  readonly rights: Rights
  readonly config: () => ViewConfig
  readonly validate: ValidateArguments
  readonly results: LargeResults
  readonly tasks: TaskRecords
  readonly scripts: ScriptThreads
  readonly uses?: UseFollower | undefined
  readonly texts: SkillTexts
}

export function createGatewayView(shared: SharedTools, given: GatewayViewOptions): GatewayView {
  const { tools, servers, rights, config } = given
  const options = { ...given, results: resultsWithRights(given.results, rights) }
  const listing = createToolListing(shared, { tools, servers, config })
  const skills = createSkillFiles({ ...options, shared })
  const presentResult = createPresentResult({ ...options, shared, listing })
  const { answer, searchIn } = answerCalls({ ...options, shared, listing, skills, presentResult })

  const view: GatewayView = {
    get config() {
      return config()
    },
    rights,
    servers,
    get isDynamic() {
      return listing.isDynamic
    },
    async ready() {
      await shared.indexed()
      if (!tools.isComplete) await tools.session
    },
    listTools: (found = []) => listing.list(found),
    get lastList() {
      return listing.last
    },
    skills,
    nameOf: shared.nameOf,
    targetOf({ name, arguments: args }) {
      const skill = name === DESCRIBE ? onlySkill(args, skills, servers) : undefined
      if (skill) return skill
      const called = isCallTool(textOf(name)) ? (args as JsonObject | undefined)?.name : name
      shared.indexAll()
      const origin = tools.origin(textOf(called))
      if (origin && !origin.skill) {
        const { server, tool, shown } = origin
        return { kind: 'tool', server, name: tool.name, annotations: annotationsOf(shown) }
      }
      return META_TOOLS.has(textOf(name)) ? { kind: 'meta', name: textOf(name) } : undefined
    },
    async callTool(params, callOptions = {}) {
      const { name } = params
      if (typeof name !== 'string') return failure('A call must have the name of a tool.')
      await view.ready()
      const args = (params.arguments ?? {}) as JsonObject
      try {
        return await answer(
          { ...params, name, arguments: args },
          { callInner: view.callTool, ...callOptions },
        )
      } catch (error) {
        const response = error instanceof UpstreamError ? error.answer : undefined
        const isDirect = tools.origin(name) !== undefined
        if (response && callOptions.rejectsWith?.(response, isDirect)) throw error
        return failure(error instanceof Error ? error.message : String(error))
      }
    },
    tasks: createRunningTasks({ ...options, shared }, options.tasks, presentResult),
    searchIn,
    onListChanged: listing.onChanged,
  }
  return view
}

/** The skill that a call of `describe_tools` reads, if it reads one and nothing else. */
function onlySkill(
  args: unknown,
  skills: SkillFiles,
  { upstreams }: UpstreamSet,
): CallTarget | undefined {
  const names = [(args as JsonObject | undefined)?.names].flat()
  if (names.length !== 1 || names[0] === undefined) return undefined
  const name = String(names[0])
  const found = skills.find(name)
  if (found) return { kind: 'skill', server: found.origin.server, name: found.origin.skill.path }
  // The server may have it without listing it.
  const place = placeOfSkill(nameOfUri(name) ?? name)
  return place && upstreams.has(place.server)
    ? { kind: 'skill', server: place.server, name: place.path }
    : undefined
}
