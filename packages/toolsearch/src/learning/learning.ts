import type { Tool } from '../catalogue/tool.ts'
import {
  type Check,
  callback,
  check,
  checkOptions,
  count,
  fail,
  number,
  oneOf,
  text,
} from '../options/check-option.ts'
import { excessUses } from './excess-uses.ts'
import type { Recalled } from './judge-evidence.ts'
import { learnedRanker, type SearchRanker } from './learned-ranker.ts'
import { isUse, type LearningStore } from './learning-store.ts'
import { matchesFilter, type Use, type UseFilter } from './use.ts'
import { createUseIndex } from './use-index.ts'
import { createUseTracker, type Search, type UseTracker } from './use-tracker.ts'
import { useWords } from './use-words.ts'

export interface LearningOptions {
  /**
   * Where uses are kept.
   * @default in memory only
   */
  store?: LearningStore
  /**
   * Whose uses a search learns from: `shared` from those of everybody, `person` only from those of
   * the person who searches.
   * @default 'shared'
   */
  scope?: 'shared' | 'person'
  /**
   * After this many milliseconds, a use counts half.
   * @default 30 days
   */
  halfLifeMs?: number
  /**
   * Maximum number of uses. Beyond that, the person with the most uses loses the oldest one. People
   * without a key count as one person.
   * @default 2_000
   */
  maxUses?: number
  /**
   * How often the store is read for what other processes have learned or forgotten, in milliseconds.
   * A search waits for it for up to a second.
   * @default 60_000
   */
  refreshMs?: number
  /** @default Date.now */
  now?: () => number
  /**
   * Called if the store fails: searches then use what is in memory. Must not throw.
   * @default console.warn
   */
  onWarning?: (message: string) => void
}

/** A memory of which tools were called after which searches. One memory can serve several searches. */
export interface Learning {
  /** The remembered uses, newest first. */
  uses(filter?: UseFilter): Promise<readonly Use[]>
  /** Forgets all uses that match every given field. Resolves to their number. */
  forget(filter: UseFilter): Promise<number>
  /** Waits until everything that was learned is stored. */
  settled(): Promise<void>
  /** Reads the store again, if it was not read lately. `createToolSearch` calls this. */
  ready(): Promise<void>
  /**
   * Reads the store again now, because another process has learned or forgotten something. Never
   * rejects.
   */
  refresh(): Promise<void>
  /** A ranker that also considers what was learned. `createToolSearch` calls this. */
  ranker(ranker: SearchRanker, caller: LearningCaller): SearchRanker
  /** Handlers that learn from the events of a conversation. `createToolSearch` calls this. */
  follow(person?: string): UseTracker
}

/** Who searches. */
export interface LearningCaller {
  readonly person?: string | undefined
  /** A tool that the caller may see. */
  readonly get: (name: string) => Tool | undefined
  /** The same object until other tools are visible. */
  readonly view: object
  /**
   * Whether the caller may see a tool, if that is known without looking it up. Must be the same function
   * until other tools are visible.
   * @default whether `get` returns it
   */
  readonly isVisible?: ((name: string) => boolean) | undefined
}

const DAY_MS = 24 * 3_600_000
/** A use that counts for less is noise. */
const MIN_WEIGHT = 0.02
/** Per person if people learn only from themselves. */
const MAX_USES_PER_TOOL = 50
/** How long a search waits for the store. */
const MAX_WAIT_MS = 1_000

const OPTIONS = {
  store: check(
    (value) => typeof (value as LearningStore | null)?.add === 'function',
    'use a store for learning, such as createFileLearningStore()',
  ),
  scope: oneOf<NonNullable<LearningOptions['scope']>>({ shared: true, person: true }),
  halfLifeMs: number(1),
  maxUses: count(1),
  refreshMs: number(),
  now: callback,
  onWarning: callback,
} satisfies Record<keyof LearningOptions, Check>

const FILTER = { tool: text, person: text, id: text } satisfies Record<keyof UseFilter, Check>

/**
 * Creates a memory of uses: a search followed by a successful call of one of its hits teaches which
 * words ask for that tool.
 *
 * @throws InvalidOptionError
 *
 * @example
 * const learning = createLearning({ store: createFileLearningStore({ folder: '.toolsearch/learned' }) })
 * const toolSearch = createToolSearch({ tools, learning })
 */
export function createLearning(options: LearningOptions = {}): Learning {
  checkOptions(options, 'options', OPTIONS)
  const { store, scope = 'shared', halfLifeMs = 30 * DAY_MS, maxUses = 2_000 } = options
  const { refreshMs = 60_000, now = Date.now, onWarning = console.warn } = options
  const index = createUseIndex()
  const searches = new Map<string, Search[]>()
  /** By view, so that the index can keep what depends on it. */
  const visibilities = new WeakMap<object, (tool: string) => boolean>()
  let writing: Promise<void> = Promise.resolve()
  let reading: Promise<void> | undefined
  /** The read that searches wait for, and how long they wait for it. */
  let awaited: Promise<void> | undefined
  let waiting: Promise<void> = Promise.resolve()
  let hasWarnedOfRead = false
  let readAt = Number.NEGATIVE_INFINITY
  /** The uses that were learned or forgotten while the store is read. */
  const changed = new Set<string>()

  return {
    async uses(filter = {}) {
      checkFilter(filter, 'use an object such as { tool: "send_mail" }, or {} for all uses')
      await refresh()
      return [...index.uses()]
        .filter((use) => matchesFilter(use, filter))
        .sort((a, b) => b.at - a.at)
    },
    async forget(filter) {
      checkFilter(filter, 'use an object such as { tool: "send_mail" }, or {} to forget everything')
      await refresh()
      const ids = [...index.uses()].filter((use) => matchesFilter(use, filter)).map(({ id }) => id)
      const isAll = Object.keys(filter).length === 0
      await enqueue(() => (isAll && store?.clear ? store.clear() : store?.remove(ids)))
      for (const id of ids) {
        changed.add(id)
        index.delete(id)
      }
      return ids.length
    },
    async settled() {
      await writing
    },
    ready,
    async refresh() {
      // A read that has begun may have missed the change.
      await reading?.catch(() => {})
      await refresh().catch(warnOfRead)
    },
    ranker(ranker, { person = '', get, view, isVisible }) {
      return learnedRanker({
        ranker,
        get,
        ready,
        recall({ text }) {
          if (index.size === 0) return NOTHING
          const time = now()
          return index.recall(useWords(text), {
            isVisible: isVisible ?? visibilityIn(view, get),
            weigh: (use) => (isRelated(use, person) ? decay(time - use.at) : 0),
            person,
            vectors: ranker.vectors,
          })
        },
      })
    },
    follow: (person = '') =>
      createUseTracker({ person, now, searches, onUse: learn, onMistake: unlearn }),
  }

  function decay(age: number): number {
    const weight = 0.5 ** (Math.max(0, age) / halfLifeMs)
    return weight < MIN_WEIGHT ? 0 : weight
  }

  function visibilityIn(view: object, get: LearningCaller['get']): (tool: string) => boolean {
    const isVisible = visibilities.get(view) ?? ((tool: string) => get(tool) !== undefined)
    visibilities.set(view, isVisible)
    return isVisible
  }

  function learn(use: Use): void {
    if (use.words === '') return
    index.set(use)
    const excess = excessOf(use)
    for (const id of excess) index.delete(id)
    if (store === undefined) return
    for (const id of [use.id, ...excess]) changed.add(id)
    // The call that taught this must not wait for the store, nor fail with it.
    enqueue(async () => {
      await store.add([use])
      if (excess.length > 0) await store.remove(excess)
    }).catch((error: Error) => warn('store what was learned', error))
  }

  function unlearn(id: string): void {
    index.delete(id)
    if (store === undefined) return
    changed.add(id)
    enqueue(() => store.remove([id])).catch((error: Error) =>
      warn('correct what was learned', error),
    )
  }

  function excessOf({ tool, person }: Use): readonly string[] {
    const all = [...index.uses()]
    const excess = [
      ...excessUses(
        all.filter((use) => use.tool === tool && isRelated(use, person)),
        MAX_USES_PER_TOOL,
      ),
      ...excessUses(all, maxUses),
    ]
    return [...new Set(excess.map(({ id }) => id))]
  }

  /** Whether a person's searches learn from a use. */
  function isRelated(use: Use, person: string): boolean {
    return scope === 'shared' || use.person === person
  }

  /** A search must not use what another process has forgotten, so it waits, but not for long. */
  async function ready(): Promise<void> {
    if (store === undefined) return
    const isOld = now() - readAt >= refreshMs
    if (reading === undefined ? isOld : reading !== awaited) {
      const read = refresh().catch(warnOfRead)
      awaited = reading
      waiting = resolveWithin(read, MAX_WAIT_MS, () => {
        warnOfRead(new Error(`no answer within ${MAX_WAIT_MS / 1_000} s`))
      })
    }
    await waiting
  }

  async function refresh(): Promise<void> {
    if (store === undefined) return
    reading ??= readStore().finally(() => {
      reading = undefined
    })
    await reading
  }

  async function readStore(): Promise<void> {
    // Otherwise, what is being written would be taken for forgotten by another process.
    await writing
    readAt = now()
    changed.clear()
    const stored = new Map((await store!.read()).filter(isUse).map((use) => [use.id, use]))
    hasWarnedOfRead = false
    for (const { id } of [...index.uses()]) {
      if (!stored.has(id) && !changed.has(id)) index.delete(id)
    }
    for (const use of stored.values()) {
      const isNewer = (index.get(use.id)?.at ?? Number.NEGATIVE_INFINITY) < use.at
      if (isNewer && !changed.has(use.id)) index.set(use)
    }
  }

  function enqueue(work: () => Promise<void> | undefined): Promise<void> {
    const done = writing.then(work)
    writing = done.catch(() => {})
    return done
  }

  /** Once until the store can be read again. */
  function warnOfRead(error: Error): void {
    if (hasWarnedOfRead) return
    hasWarnedOfRead = true
    warn('read what was learned', error)
  }

  function warn(action: string, { message }: Error): void {
    onWarning(`toolsearch: cannot ${action} (${message}).`)
  }
}

const NOTHING: ReadonlyMap<string, Recalled> = new Map()

/** @throws InvalidOptionError */
function checkFilter(filter: unknown, fix: string): void {
  check((value) => typeof value === 'object' && value !== null, fix)(filter, 'filter')
  checkOptions(filter, 'filter', FILTER)
  // Otherwise, a key that the caller failed to look up would match everybody.
  for (const [key, value] of Object.entries(filter as UseFilter)) {
    if (value === undefined) fail(value, `filter.${key}`, fix)
  }
}

async function resolveWithin(
  work: Promise<void>,
  limitMs: number,
  onLate: () => void,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onLate()
      resolve()
    }, limitMs)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
