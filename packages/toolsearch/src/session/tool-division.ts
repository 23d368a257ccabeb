import type { ToolList } from '../catalogue/fixed-tools.ts'
import type { Tool } from '../catalogue/tool.ts'
import { type Deferral, type DeferralPolicy, deferralOf } from '../policy/deferral.ts'
import type { SessionRecord } from '../stores/session-record.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { toolTokens } from '../tokens/tool-tokens.ts'

/** The tools that one caller may see, divided into deferrable and other tools. */
export interface ToolDivision {
  /** In catalogue order, without skills and a tool that has the same name as the search tool. */
  readonly visible: readonly Tool[]
  readonly eager: readonly Tool[]
  readonly deferrable: readonly Tool[]
  /**
   * How many more deferrable tools there are that the lists lack, because the catalogue is outside of
   * this process.
   * @default 0
   */
  readonly beyond?: number
  /** The deferrable tools that are hidden even before deferral starts. */
  readonly alwaysDeferred: readonly Tool[]
  /** Entries that a search finds but that cannot be called, in catalogue order. */
  readonly skills: readonly Tool[]
  /** Tools that cannot be sent because they have the same name as the search tool. */
  readonly nameConflicts: readonly string[]
  /** A visible tool by name. */
  get(name: string): Tool | undefined
  /** A visible skill by name. */
  skill(name: string): Tool | undefined
  /** Omitted if every tool of the catalogue is visible. */
  readonly isVisible?: (tool: Tool) => boolean
  /** Whether the name may belong to a tool that this caller must not know about. */
  isConcealed(name: string): boolean
  deferral(tool: Tool): Deferral
  definitionTokens(): number
}

export interface DivideOptions {
  readonly catalogue: ToolList
  readonly policy: DeferralPolicy
  readonly searchToolName: string
  readonly countTokens: CountTokens
  /** Defer nothing, regardless of the policy. The search tool is never sent, so its name is free. */
  readonly neverDefer: boolean
  /**
   * Whether searches find skills. If not, there are none.
   * @default false
   */
  readonly skills?: boolean
  /** Checked once per tool and catalogue version. */
  readonly access?: ToolAccess | undefined
}

/** Which tools a caller may see. */
export interface ToolAccess {
  /** The sorted allow-list, if there is one. */
  readonly names?: readonly string[]
  isAllowed(tool: Tool): boolean
  /**
   * Whether the caller may see a tool with this name, even if it no longer exists. Omitted if the
   * decision needs the tool itself.
   */
  isAllowedName?(name: string): boolean
}

/** Returns a function that divides the catalogue again only after the catalogue has changed. */
export function createDivider(options: DivideOptions): () => ToolDivision {
  const { catalogue } = options
  let version = -1
  let division: ToolDivision | undefined
  return () => {
    if (division === undefined || version !== catalogue.version) {
      version = catalogue.version
      division = divide(options)
    }
    return division
  }
}

/**
 * Whether the model does not have the tool's definition. Before deferral starts, this applies only to
 * tools that are always deferred.
 */
export function isHidden(
  tool: Tool,
  division: Pick<ToolDivision, 'deferral'>,
  record: SessionRecord,
): boolean {
  const { active, seen, sent, loaded } = record
  const deferral = division.deferral(tool)
  const isDeferred = deferral === 'always-deferred' || (deferral === 'deferred' && active)
  if (!isDeferred || seen === 'all') return false
  if (seen === 'automatic' && deferral === 'deferred') return false
  return !sent.includes(tool.name) && !loaded.some(({ name }) => name === tool.name)
}

function divide({
  catalogue,
  policy,
  searchToolName,
  countTokens,
  neverDefer,
  skills: findsSkills = false,
  access,
}: DivideOptions): ToolDivision {
  const deferrals = new Map<string, Deferral>()
  const tools = catalogue.tools()
  const visible: Tool[] = []
  const eager: Tool[] = []
  const deferrable: Tool[] = []
  const alwaysDeferred: Tool[] = []
  const skills = new Map<string, Tool>()
  const nameConflicts: string[] = []
  for (const tool of tools) {
    if (access && !access.isAllowed(tool)) continue
    if (tool.name === searchToolName && !neverDefer) {
      nameConflicts.push(tool.name)
      continue
    }
    if (tool.skill) {
      // without a search tool, nothing could read it
      if (findsSkills && !neverDefer) skills.set(tool.name, tool)
      continue
    }
    const deferral = neverDefer ? 'eager' : deferralOf(tool, policy)
    deferrals.set(tool.name, deferral)
    visible.push(tool)
    if (deferral === 'eager') eager.push(tool)
    else deferrable.push(tool)
    if (deferral === 'always-deferred') alwaysDeferred.push(tool)
  }
  let tokens: number | undefined
  return {
    visible,
    eager,
    deferrable,
    alwaysDeferred,
    skills: [...skills.values()],
    nameConflicts,
    get: (name) => (deferrals.has(name) ? catalogue.get(name) : undefined),
    skill: (name) => skills.get(name),
    isConcealed(name) {
      if (access === undefined || deferrals.has(name) || skills.has(name)) return false
      // without `isAllowedName`, access to a removed tool cannot be decided, so conceal it
      return !access.isAllowedName?.(name)
    },
    ...(visible.length + skills.size < tools.length && {
      isVisible: ({ name }) => deferrals.has(name) || skills.has(name),
    }),
    deferral: (tool) => deferrals.get(tool.name) ?? 'eager',
    definitionTokens() {
      tokens ??= deferrable.reduce((sum, tool) => sum + toolTokens(tool, countTokens), 0)
      return tokens
    },
  }
}
