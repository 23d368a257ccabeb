import { isDeepStrictEqual } from 'node:util'
import type { ConfigProblem } from '../config/config-problem.ts'
import type { TeamConfig } from '../config/team-config.ts'
import type { WatchOptions } from '../system/watch-file.ts'
import type { OpenPolicies } from './cedar/open-policies.ts'
import { type Access, createAccess } from './create-access.ts'

/** The access rules of a running gateway, which follow its configuration and policy files. */
export interface OpenAccess extends Access {
  /** What is wrong with policy files now. The policies before that stay in effect. */
  readonly problems: readonly ConfigProblem[]
  /** Applies new settings. Rules apply at once; if files of policies are new, as soon as they are read. */
  configure(config: AccessSettings): Promise<void>
  /** Runs the listener after rights have changed. Returns a function that stops it. */
  onChanged(listener: () => void): () => void
  close(): void
}

type AccessSettings = Pick<TeamConfig, 'access' | 'profiles'>

export interface OpenAccessOptions extends WatchOptions {
  /** Called when there are other problems with policy files than before, or none any more. */
  readonly onProblems?: (problems: readonly ConfigProblem[]) => void
}

/**
 * Resolves once the rules and policies are in effect. If policy files have problems at the start, they are
 * in `problems`, and nothing is allowed until they are corrected. Loads Cedar only if there are files.
 */
export async function openAccess(
  config: AccessSettings,
  { onProblems, ...watchOptions }: OpenAccessOptions = {},
): Promise<OpenAccess> {
  const listeners = new Set<() => void>()
  let settings = config
  let policies: OpenPolicies | undefined
  let isClosed = false
  let opening: Promise<void> = Promise.resolve()
  let reported: readonly ConfigProblem[] = []
  policies = await open(config)
  reported = policies?.problems ?? []
  let access = create()

  function create(): Access {
    return createAccess(settings, { policies: policies?.current })
  }

  async function open({ access: given }: AccessSettings): Promise<OpenPolicies | undefined> {
    if (!given || given.cedar.length === 0) return undefined
    const { openPolicies } = await import('./cedar/open-policies.ts')
    const opened = await openPolicies(given.cedar, { ...watchOptions, onChange: apply })
    return opened
  }

  function apply(): void {
    if (isClosed) return
    access = create()
    for (const listener of listeners) listener()
    const problems = policies?.problems ?? []
    if (isDeepStrictEqual(problems, reported)) return
    reported = problems
    onProblems?.(problems)
  }

  async function reconfigure(next: AccessSettings): Promise<void> {
    const isSameFiles = isDeepStrictEqual(settings.access?.cedar, next.access?.cedar)
    if (!isSameFiles) {
      // rules and policies change together: half of the edit could allow what neither version does
      const before = policies
      const opened = await open(next)
      if (isClosed) return opened?.close()
      policies = opened
      before?.close()
    }
    settings = next
    apply()
  }

  return {
    rightsOf: (caller) => access.rightsOf(caller),
    partsOf: (caller) => access.partsOf(caller),
    get problems() {
      return policies?.problems ?? []
    },
    configure(next) {
      const hasPolicies = policies !== undefined || (next.access?.cedar.length ?? 0) > 0
      if (!hasPolicies) {
        settings = next
        apply()
        return Promise.resolve()
      }
      opening = opening.then(() => reconfigure(next))
      return opening
    },
    onChanged(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    close() {
      isClosed = true
      listeners.clear()
      policies?.close()
    },
  }
}
