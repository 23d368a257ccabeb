import { isDeepStrictEqual } from 'node:util'
import type { ConfigProblem } from '../config/config-problem.ts'
import type { TeamConfig } from '../config/team-config.ts'
import type { WatchOptions } from '../system/watch-file.ts'
import type { OpenPolicies } from './cedar/open-policies.ts'
import { type Access, createAccess, type Policies } from './create-access.ts'
import { deniesAll } from './decider.ts'

/** The access rules of a running gateway, which follow its configuration and policy files. */
export interface OpenAccess extends Access {
  /** What is wrong with policy files now. The policies before that stay in effect. */
  readonly problems: readonly ConfigProblem[]
  /**
   * Applies new settings. Rules apply at once. If there are other policy files or issuers, nothing is allowed
   * until the files have been read, for which the promise waits.
   */
  configure(config: AccessSettings): Promise<void>
  /** Runs the listener after rights have changed. Returns a function that stops it. */
  onChanged(listener: () => void): () => void
  close(): void
}

type AccessSettings = Pick<TeamConfig, 'access' | 'profiles' | 'identity'>

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
  let isReading = false
  let isClosed = false
  let reading: Promise<void> = Promise.resolve()
  policies = await open(config)
  let reported = problems()
  let access = create()

  function create(): Access {
    const unread = isReading ? UNREAD_POLICIES : policies?.current
    return createAccess(settings, { policies: unread })
  }

  function problems(): readonly ConfigProblem[] {
    return policies?.problems ?? []
  }

  async function open(given: AccessSettings): Promise<OpenPolicies | undefined> {
    const { files, issuers } = policySource(given)
    if (files.length === 0) return undefined
    const { openPolicies } = await import('./cedar/open-policies.ts')
    return await openPolicies(files, { ...watchOptions, issuers, onChange: apply })
  }

  function apply(): void {
    if (isClosed) return
    access = create()
    for (const listener of listeners) listener()
    if (isReading || isDeepStrictEqual(problems(), reported)) return
    reported = problems()
    onProblems?.(reported)
  }

  /** Reads the files of the current settings, in place of those before. */
  async function readFiles(): Promise<void> {
    const source = policySource(settings)
    const opened = await open(settings)
    policies?.close()
    policies = opened
    if (isClosed) return policies?.close()
    // the settings may have changed again, which has queued another read
    isReading = !isDeepStrictEqual(source, policySource(settings))
    apply()
  }

  return {
    rightsOf: (caller) => access.rightsOf(caller),
    partsOf: (caller) => access.partsOf(caller),
    get problems() {
      return problems()
    },
    configure(next) {
      const hasOtherPolicies = !isDeepStrictEqual(policySource(settings), policySource(next))
      settings = next
      if (hasOtherPolicies) {
        // nothing is allowed meanwhile: the policies before may allow what these forbid
        isReading = true
        reading = reading.then(readFiles)
      }
      apply()
      return reading
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

/** What the policies are made of. What a group in them means depends on the issuers. */
function policySource({ access, identity }: AccessSettings) {
  const files = access?.cedar ?? []
  const issuers = files.length > 0 ? (identity?.issuers ?? []) : []
  return { files, issuers: issuers.map(({ issuer }) => issuer) }
}

const UNREAD_POLICIES: Policies = {
  keyOf: () => 'unread',
  deciderFor: () => deniesAll('the Cedar policies are being read'),
}
