import { readFile } from 'node:fs/promises'
import type { ConfigProblem } from '../../config/config-problem.ts'
import { type WatchOptions, watchFile } from '../../system/watch-file.ts'
import type { Policies } from '../create-access.ts'
import { deniesAll } from '../decider.ts'
import { type CedarModule, loadCedarModule } from './cedar-module.ts'
import { createPolicies } from './create-policies.ts'
import { type PolicyFile, readPolicies } from './read-policies.ts'

/** Cedar policies from files, which are read again when they change. */
export interface OpenPolicies {
  /** The last valid policies. Denies everything if there have never been any. */
  readonly current: Policies
  /** What is wrong with the files now. The policies before that stay in effect. */
  readonly problems: readonly ConfigProblem[]
  close(): void
}

export interface OpenPoliciesOptions extends WatchOptions {
  /** That people can come from. */
  readonly issuers: readonly string[]
  /** Called after the policies or their problems have changed. Must not throw. */
  readonly onChange: () => void
}

const NOTHING: Policies = {
  keyOf: () => 'unreadable',
  deciderFor: () => deniesAll('the Cedar policies cannot be read'),
}

/** A file of policies is rarely larger than a few hundred lines. */
const MAX_CHARS = 1_000_000

/**
 * Reads the files and follows their changes. Never rejects because of their content.
 *
 * @throws if the Cedar engine cannot be loaded
 */
export async function openPolicies(
  files: readonly string[],
  { issuers, onChange, ...watchOptions }: OpenPoliciesOptions,
): Promise<OpenPolicies> {
  const cedar = await loadCedarModule()
  const slot = takeSlot()
  let generation = 0
  let current = NOTHING
  let problems: readonly ConfigProblem[] = []
  let texts: string | undefined
  let isClosed = false

  /** Whether something has changed. */
  async function read(): Promise<boolean> {
    const found = await Promise.all(files.map(readPolicyFile))
    const now = JSON.stringify(found)
    if (isClosed || now === texts) return false
    texts = now
    const result = readAll(cedar, found, issuers)
    if ('problems' in result) problems = result.problems
    else {
      problems = []
      // rights that are still in use ask the policies before
      generation = 1 - generation
      current = createPolicies(cedar, result.policies, `${slot} ${generation}`, issuers)
    }
    return true
  }

  async function check(): Promise<void> {
    if ((await read()) && !isClosed) onChange()
  }

  await read()
  const watches = files.map((file) => watchFile(file, check, watchOptions))
  return {
    get current() {
      return current
    },
    get problems() {
      return problems
    },
    close() {
      if (isClosed) return
      isClosed = true
      for (const watch of watches) watch.close()
      freeSlots.push(slot)
    },
  }
}

function readAll(
  cedar: CedarModule,
  found: readonly (PolicyFile | ConfigProblem)[],
  issuers: readonly string[],
) {
  const problems = found.filter((each) => 'message' in each)
  const files = found.filter((each) => 'text' in each)
  const result = readPolicies(cedar, files, issuers)
  if (problems.length === 0) return result
  return { problems: [...problems, ...('problems' in result ? result.problems : [])] }
}

async function readPolicyFile(file: string): Promise<PolicyFile | ConfigProblem> {
  const problem = (message: string, fix: string) => ({ file, line: 1, column: 1, message, fix })
  try {
    const text = await readFile(file, 'utf8')
    if (text.length <= MAX_CHARS) return { file, text }
    return problem('The file is too large.', 'Check that this is a file of Cedar policies.')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT'
      ? problem('The file does not exist.', 'Check "access.cedar" in the configuration.')
      : problem(`The file cannot be read (${code}).`, 'Make it readable for the gateway.')
  }
}

const freeSlots: string[] = []
let slots = 0

function takeSlot(): string {
  return freeSlots.pop() ?? `policies ${++slots}`
}
