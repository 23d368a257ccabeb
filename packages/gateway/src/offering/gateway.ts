import { createToolSearch, type ToolSearch } from 'toolsearch'
import type { Learning } from 'toolsearch/learning'
import type { Ranker } from 'toolsearch/rankers'
import { ALL_RIGHTS, type Rights } from '../access/rights.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { Caller } from '../identity/caller.ts'
import { createScriptThreads } from '../scripts/script-threads.ts'
import { decodeText } from '../skills/decode-text.ts'
import type { SkillEntry } from '../skills/skill-entry.ts'
import type { SharedState } from '../state/shared-state.ts'
import type { Approvals } from './approvals/approvals.ts'
import { type FileChange, skillChanges } from './approvals/skill-changes.ts'
import { createSkillTexts, type SkillTexts } from './approvals/skill-texts.ts'
import { createCallerViews } from './caller-views.ts'
import type { GatewayView } from './gateway-view.ts'
import { createLargeResults, RESULT_CHARS } from './large-results.ts'
import type { HiddenTool } from './offer-plan.ts'
import { pausableLearning } from './pausable-learning.ts'
import type { PersonServers } from './person-servers.ts'
import { sharedTexts } from './result-texts.ts'
import type { SetupProblem } from './setup-problem.ts'
import { createSharedTools, type WaitingTool } from './shared-tools.ts'
import type { ToolOrigin } from './synced-tools.ts'
import { createTaskRecords } from './task-records.ts'
import type { UpstreamSet } from './upstream-set.ts'
import { createUseFollower } from './use-follower.ts'
import { createValidateArguments } from './validate-arguments.ts'

/**
 * One set of tools in front of many servers. The gateway itself is the view of the person who runs it, in
 * which nothing is hidden; agents get the view of their caller.
 */
export interface Gateway extends GatewayView {
  /** The current settings. */
  readonly config: GatewayConfig
  /** Its catalogue contains the tools of all servers, under the names that agents see. */
  readonly toolSearch: ToolSearch
  /**
   * What a caller may see and use. Cheap: call it for each request, because rights can change between
   * two of them.
   */
  view(caller: Caller): GatewayView
  /**
   * Whether there is the profile that the caller's address names, and the caller's credential permits
   * it. A credential that is limited to profiles excludes addresses without one.
   */
  admits(caller: Caller): boolean
  /** Runs the listener when `view` may return another view for the same caller. */
  onViewsChanged(listener: () => void): () => void
  /**
   * The server that has a tool, and the tool as that server defines it. Undefined if there is none.
   * Also finds tools that are withheld from models.
   */
  origin(name: string): ToolOrigin | undefined
  /** The tools that the configuration hides from agents, for people. */
  hiddenTools(): readonly HiddenTool[]
  /**
   * Settings that match no tool, and tools that could not get the name they should have. A setting is
   * judged once the tools of its servers are known. Same reference until something changes.
   */
  setupProblems(): readonly SetupProblem[]
  /** Names of the tools whose definitions differ from the approved ones. */
  changedTools(): string[]
  /** The tools that wait for a person, and those that a person has blocked. */
  waitingTools(): WaitingTool[]
  /**
   * What changed in the files of a skill since it was approved. Reads them from the server. Undefined for
   * an unknown skill, and if the approved one is not known.
   */
  skillChanges(name: string): Promise<readonly FileChange[] | undefined>
  /** The tools that a skill names, by the names that agents use. Not all of them need exist. */
  toolsNamedBy(skill: ToolOrigin): readonly string[]
  /** Approves a tool's current definition, and unblocks it. Returns false if there is no such tool. */
  acceptTool(name: string): boolean
  /** Hides a tool from models, even if it changes. Returns false if there is no such tool. */
  blockTool(name: string): boolean
  /** Takes back the last decision about a tool. Returns false if there is none. */
  undoDecision(name: string): boolean
  /** Applies what another process has decided. */
  applyApprovals(): void
  /** Applies new settings. Does not start or stop servers. */
  configure(config: GatewayConfig): void
  /** Runs the listener after new settings were applied. Returns a function that stops it. */
  onConfigured(listener: () => void): () => void
  close(): void
}

/** Decides who may use what. */
interface GatewayAccess {
  /** Called for each request, so it should be fast for callers that it knows. Must not throw. */
  rightsOf(caller: Caller): Rights
  /** Runs the listener after rules have changed. Returns a function that stops it. */
  onChanged?(listener: () => void): () => void
  /** Applies new settings, before any request is answered by them. Must not throw. */
  configure?(config: GatewayConfig): void
}

export interface GatewayOptions {
  /** @default every definition counts as approved */
  readonly approvals?: Approvals
  /**
   * Tools that wait for approval are withheld from a model, because their text may be an attack on
   * it. A person sees them. @default 'model'
   */
  readonly audience?: 'model' | 'person'
  /** @default the keyword ranker */
  readonly ranker?: () => Ranker
  /** @default everybody may use everything */
  readonly access?: GatewayAccess
  /** Servers that run with a person's own credentials. @default none */
  readonly personServers?: PersonServers
  /** What searches learn from use, while `learning` in the configuration is not off. @default nothing */
  readonly learning?: Learning | undefined
  /** Lets all replicas read long results and find tasks. @default this process only */
  readonly state?: SharedState
  /** What people compare a changed skill with. @default nothing is kept */
  readonly texts?: SkillTexts
}

const EVERYTHING: GatewayAccess = { rightsOf: () => ALL_RIGHTS }

export function createGateway(
  config: GatewayConfig,
  servers: UpstreamSet,
  {
    approvals,
    audience = 'model',
    ranker,
    access = EVERYTHING,
    personServers,
    learning: memory,
    state,
    texts = createSkillTexts(undefined),
  }: GatewayOptions = {},
): Gateway {
  const learning = memory && pausableLearning(memory, () => shared.config.learning !== 'off')
  const validate = createValidateArguments()
  const toolSearch = createToolSearch({
    activation: 'always',
    loading: 'none',
    validate,
    ...(ranker && { ranker }),
    ...(learning && { learning }),
  })
  const scripts = createScriptThreads()
  const shared = createSharedTools(config, servers, { toolSearch, approvals, audience })
  const views = createCallerViews(shared, {
    toolSearch,
    servers,
    validate,
    results: createLargeResults(state?.isShared ? { texts: sharedTexts(state, RESULT_CHARS) } : {}),
    tasks: createTaskRecords(state),
    scripts,
    rightsOf: access.rightsOf,
    personServers,
    uses: learning && createUseFollower(learning),
    texts,
  })
  const { everything } = views
  const changed = new Set<() => void>()
  const notifyChanged = () => {
    for (const listener of changed) listener()
  }
  const stops = [
    shared.onConfigured(() => {
      views.forget()
      // Before connections ask for their views: otherwise they would get new ones twice.
      access.configure?.(shared.config)
      notifyChanged()
    }),
    access.onChanged?.(notifyChanged),
  ]

  function decide(name: string, decision: 'accept' | 'block' | 'undo'): boolean {
    shared.indexAll()
    return shared.decide(name, decision)
  }

  return {
    ...everything,
    get config() {
      return shared.config
    },
    get isDynamic() {
      return everything.isDynamic
    },
    get lastList() {
      return everything.lastList
    },
    get toolSearch() {
      shared.indexAll()
      return toolSearch
    },
    view: views.of,
    admits({ person: { scope }, profile }) {
      if (scope?.profiles && !scope.profiles.includes(profile ?? '')) return false
      const { profiles } = shared.config
      return profile === undefined || Object.hasOwn(profiles, profile)
    },
    onViewsChanged(listener) {
      changed.add(listener)
      return () => changed.delete(listener)
    },
    origin(name) {
      shared.indexAll()
      return shared.origin(name)
    },
    hiddenTools() {
      shared.indexAll()
      return shared.hiddenTools()
    },
    setupProblems: shared.problems,
    changedTools() {
      shared.indexAll()
      return shared.waitingTools().flatMap(({ name, kind }) => (kind === 'changed' ? [name] : []))
    },
    waitingTools() {
      shared.indexAll()
      return shared.waitingTools()
    },
    async skillChanges(name) {
      const { skills } = everything
      const found = skills.find(name)
      if (!found || found.origin.name !== name) return undefined
      const { server, tool, skill } = found.origin
      const approved = approvals?.approvedDefinition(server, tool.name)?.skill
      if (!approved) return undefined
      return skillChanges(approved as SkillEntry, skill.entry, {
        approvedText: texts.read,
        async currentText(path) {
          const file = skills.filesOf(found.origin).find((each) => each.path === path)!
          const content = await skills
            .read(file, { isReview: true })
            .catch((error: Error) => ({ problem: error.message }))
          if ('problem' in content) return content
          return decodeText(content) ?? { problem: 'This is a binary file.' }
        },
      })
    },
    toolsNamedBy: (skill) => shared.searchable(skill).skill?.tools ?? [],
    acceptTool: (name) => decide(name, 'accept'),
    blockTool: (name) => decide(name, 'block'),
    undoDecision: (name) => decide(name, 'undo'),
    applyApprovals: shared.applyApprovals,
    configure: shared.configure,
    onConfigured: shared.onConfigured,
    close() {
      for (const stop of stops) stop?.()
      changed.clear()
      shared.close()
      scripts.close()
    },
  }
}
