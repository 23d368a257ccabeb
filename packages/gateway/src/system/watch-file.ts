import { type FSWatcher, watchFile as pollFile, unwatchFile, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { createSerialQueue } from './serial-queue.ts'

export interface WatchOptions {
  /**
   * How long to wait after the last event before calling `onChange`, in milliseconds.
   * @default 100
   */
  readonly debounceMs?: number
  /**
   * How often to poll, in milliseconds: network drives, containers and symbolic links send no events.
   * @default 1_000
   */
  readonly pollMs?: number
  /** Reports file system events in a folder. @default fs.watch */
  readonly watchEvents?: (folder: string, onEvent: (name: string | null) => void) => FSWatcher
}

export interface FileWatch {
  /** Calls `onChange` after the debounce time even if no event arrives. */
  check(): void
  /** `onChange` is not called again once this returns. */
  close(): void
}

/**
 * Calls `onChange` when a file may have changed. Watches its folder, because editors replace files
 * instead of writing to them.
 *
 * Calls to `onChange` never overlap, and must not reject. Does not keep the process alive.
 */
export function watchFile(
  file: string,
  onChange: () => void | Promise<void>,
  options: WatchOptions = {},
): FileWatch {
  const path = resolve(file)
  const isFile = (name: string | null) => name === null || name === basename(path)
  return watchPath(path, dirname(path), isFile, onChange, options)
}

/** Like `watchFile`, for every file directly inside a folder. The folder must exist to be watched. */
export function watchFolder(
  folder: string,
  onChange: () => void | Promise<void>,
  options: WatchOptions = {},
): FileWatch {
  const path = resolve(folder)
  return watchPath(path, path, () => true, onChange, options)
}

function watchPath(
  polled: string,
  folder: string,
  isRelevant: (name: string | null) => boolean,
  onChange: () => void | Promise<void>,
  { debounceMs = 100, pollMs = 1_000, watchEvents = watchFolderEvents }: WatchOptions,
): FileWatch {
  const queue = createSerialQueue()
  let timer: NodeJS.Timeout | undefined
  let watcher: FSWatcher | undefined
  let closed = false

  function check(): void {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => void queue.run(() => (closed ? undefined : onChange())), debounceMs)
    timer.unref()
  }

  try {
    watcher = watchEvents(folder, (name) => {
      if (isRelevant(name)) check()
    })
    watcher.on('error', () => watcher?.close())
    watcher.unref()
  } catch {
    // without events, polling still notices changes
  }
  pollFile(polled, { interval: pollMs, persistent: false }, check)

  return {
    check,
    close() {
      closed = true
      clearTimeout(timer)
      watcher?.close()
      unwatchFile(polled, check)
    },
  }
}

function watchFolderEvents(folder: string, onEvent: (name: string | null) => void): FSWatcher {
  return watch(folder, (_, name) => onEvent(name))
}
