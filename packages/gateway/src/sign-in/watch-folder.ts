import { type FSWatcher, mkdirSync, unwatchFile, watch, watchFile } from 'node:fs'

const SETTLE_MS = 50
const POLL_MS = 1_000

/**
 * Tells that something in a folder has changed, and makes the folder if it is not there. It is looked
 * at from time to time as well, because network drives and containers do not tell.
 *
 * `onChange` is called once more when something changed while it ran, and must not reject. Does not
 * keep the process alive.
 */
export function watchFolder(folder: string, onChange: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let telling: Promise<void> = Promise.resolve()
  let watcher: FSWatcher | undefined
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      telling = telling.then(onChange)
    }, SETTLE_MS)
    timer.unref()
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    watcher = watch(folder, soon)
    watcher.on('error', () => watcher?.close())
    watcher.unref()
  } catch {
    // polling alone does it
  }
  watchFile(folder, { interval: POLL_MS, persistent: false }, soon)
  return () => {
    clearTimeout(timer)
    watcher?.close()
    unwatchFile(folder, soon)
  }
}
