import { type FSWatcher, unwatchFile, watch, watchFile } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ConfigProblem } from './config-problem.ts'
import type { Environment } from './expand-variables.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { readConfigFile, refuse } from './load-config.ts'
import { readConfig } from './read-config.ts'

export type ConfigChange =
  | { readonly kind: 'changed'; readonly config: GatewayConfig }
  /** The edit cannot be used; what was in force stays in force. */
  | { readonly kind: 'refused'; readonly problems: readonly ConfigProblem[] }

export interface WatchConfigOptions {
  /** What is in force now. An edit made since it was read is noticed at once. */
  readonly config: GatewayConfig
  readonly env: Environment
  /**
   * How long the file must be left alone before it is read.
   * @default 100
   */
  readonly debounceMs?: number
  /**
   * How often the file is looked at where the system does not tell of changes.
   * @default 1_000
   */
  readonly pollMs?: number
  /** Tells of changes in a folder. @default fs.watch */
  readonly watchFolder?: (folder: string, onEvent: (name: string | null) => void) => FSWatcher
}

export interface ConfigWatch {
  /** What is in force: the last configuration that could be used. */
  readonly config: GatewayConfig
  /** Nothing is told any more once this returns. */
  close(): void
}

/**
 * Tells when a configuration file says something else than before. The folder is watched, not the
 * file, because editors put a new file in the place of the old one; and it is looked at from time to
 * time as well, because links, network drives and containers do not tell.
 *
 * `onChange` is called once for each edit that matters, one after the other; it must not throw. Does
 * not keep the process alive.
 */
export function watchConfig(
  file: string,
  onChange: (change: ConfigChange) => void,
  { config, env, debounceMs = 100, pollMs = 1_000, watchFolder = tellOfFolder }: WatchConfigOptions,
): ConfigWatch {
  const path = resolve(file)
  let current = config
  /** What the last edit that was told of says; undefined for a file that cannot be read. */
  let told: { readonly text: string | undefined } | undefined
  let refusedLast = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> = Promise.resolve()
  let watcher: FSWatcher | undefined

  try {
    watcher = watchFolder(dirname(path), (name) => {
      if (name === null || name === basename(path)) soon()
    })
    watcher.on('error', () => watcher?.close())
    watcher.unref()
  } catch {
    // polling alone does it
  }
  watchFile(path, { interval: pollMs, persistent: false }, soon)
  soon()

  return {
    get config() {
      return current
    },
    close() {
      closed = true
      clearTimeout(timer)
      watcher?.close()
      unwatchFile(path, soon)
    },
  }

  function soon(): void {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      checking = checking.then(check)
    }, debounceMs)
    timer.unref()
  }

  async function check(): Promise<void> {
    const read = await readConfigFile(path)
    const text = 'text' in read ? read.text : undefined
    if (closed || (told && told.text === text)) return
    const result = 'text' in read ? readConfig(read.text, { file, env }) : refuse(file, read.error)
    if ('problems' in result) {
      // it may be half written, or gone for the moment that a rename takes
      if (!(await isStill(text)) || closed) return
      told = { text }
      refusedLast = true
      onChange({ kind: 'refused', problems: result.problems })
      return
    }
    told = { text }
    // after a refusal also the way back is news
    if (isDeepStrictEqual(current, result.config) && !refusedLast) return
    refusedLast = false
    current = result.config
    onChange({ kind: 'changed', config: result.config })
  }

  async function isStill(text: string | undefined): Promise<boolean> {
    await new Promise<void>((done) => setTimeout(done, debounceMs).unref())
    const again = await readConfigFile(path)
    const same = ('text' in again ? again.text : undefined) === text
    if (!same) soon()
    return same
  }
}

function tellOfFolder(folder: string, onEvent: (name: string | null) => void): FSWatcher {
  return watch(folder, (_, name) => onEvent(name))
}
