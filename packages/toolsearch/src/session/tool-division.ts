import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Tool } from '../catalogue/tool.ts'
import { type Deferral, type DeferralPolicy, deferralOf } from '../policy/deferral.ts'
import type { SessionRecord } from '../stores/session-record.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { toolTokens } from '../tokens/tool-tokens.ts'

/** The tools one caller may see, and which of them may be deferred. */
export interface ToolDivision {
  /** In catalogue order, without a tool that has the search tool's own name. */
  readonly visible: readonly Tool[]
  readonly deferrable: readonly Tool[]
  /** Tools that cannot be sent because the search tool has their name. */
  readonly nameConflicts: readonly string[]
  /** A visible tool by name. */
  get(name: string): Tool | undefined
  isVisible(tool: Tool): boolean
  /** Whether a name may be one that the caller is not to know of. */
  isConcealed(name: string): boolean
  deferral(tool: Tool): Deferral
  definitionTokens(): number
}

export interface DivideOptions {
  readonly catalogue: Catalogue
  readonly policy: DeferralPolicy
  readonly searchToolName: string
  readonly countTokens: CountTokens
  /** Nothing is to be deferred, whatever the policy says. */
  readonly isOff: boolean
  /** Asked once for each tool, and again when the catalogue changes. */
  readonly allowance?: Allowance | undefined
}

/** Which tools a caller may know of. */
export interface Allowance {
  isAllowed(tool: Tool): boolean
  /** Whether a name is allowed, be there such a tool or not; left out where only a tool can tell. */
  isAllowedName?(name: string): boolean
}

/** Divides the catalogue, once for each of its versions. */
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
 * Whether a request leaves a tool out. Before deferral begins, only tools that were to be deferred
 * on request are.
 */
export function isHidden(
  tool: Tool,
  division: ToolDivision,
  record: SessionRecord,
  active: boolean = record.active,
): boolean {
  const deferral = division.deferral(tool)
  if (deferral === 'eager' || record.loaded.some(({ name }) => name === tool.name)) return false
  return active || deferral === 'deferred-on-request'
}

function divide({
  catalogue,
  policy,
  searchToolName,
  countTokens,
  isOff,
  allowance,
}: DivideOptions): ToolDivision {
  const deferrals = new Map<string, Deferral>()
  const visible: Tool[] = []
  const nameConflicts: string[] = []
  for (const tool of catalogue.tools()) {
    if (allowance && !allowance.isAllowed(tool)) continue
    if (tool.name === searchToolName) nameConflicts.push(tool.name)
    else {
      visible.push(tool)
      deferrals.set(tool.name, isOff ? 'eager' : deferralOf(tool, policy))
    }
  }
  const deferrable = visible.filter((tool) => deferrals.get(tool.name) !== 'eager')
  let tokens: number | undefined
  return {
    visible,
    deferrable,
    nameConflicts,
    get: (name) => (deferrals.has(name) ? catalogue.get(name) : undefined),
    isConcealed(name) {
      if (allowance === undefined || deferrals.has(name)) return false
      // a tool that is gone cannot be asked about, so without a list it counts as concealed
      return !allowance.isAllowedName?.(name)
    },
    isVisible: (tool) => deferrals.has(tool.name),
    deferral: (tool) => deferrals.get(tool.name) ?? 'eager',
    definitionTokens() {
      tokens ??= deferrable.reduce((sum, tool) => sum + toolTokens(tool, countTokens), 0)
      return tokens
    },
  }
}
