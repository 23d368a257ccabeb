import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { createRemoteVectors, type Embedder, type RemoteVectors } from 'toolsearch/rankers'
import { checkEncoderOptions } from './check-encoder-options.ts'
import { createEncoderThread } from './encoder-thread.ts'
import { latinShare } from './latin-share.ts'
import { openVectorCache, type VectorCache } from './vector-cache.ts'

export interface EncoderOptions {
  /**
   * The folder for the vectors of tools, so that the next start does not compute them again. False
   * keeps them in memory only.
   * @default `vectors` in `$TOOLSEARCH_CACHE`, `$XDG_CACHE_HOME/toolsearch` or `~/.cache/toolsearch`
   */
  readonly cacheDir?: string | false
  /**
   * How long a search waits for the vector of its query before it continues without it.
   * @default 1_000
   */
  readonly timeoutMs?: number
  /**
   * Called once for each kind of failure; searches continue without the encoder. Must not throw.
   * @default a warning on stderr
   */
  readonly onError?: (error: Error) => void
  /** The weights file. @default the one in this package */
  readonly file?: string
}

/** The encoder as a source of vectors for `hybridRanker`. */
export interface Encoder extends RemoteVectors {
  /** Ends the worker thread. Searches continue without the encoder. */
  close(): Promise<void>
}

/** Small batches, so that each is complete long before its time-out, even on a slow machine. */
const MAX_BATCH = 16
const MAX_KEPT = 50_000

/**
 * Prepares the sentence encoder of this package: its thread starts and reads the weights when the
 * first vector is needed. Problems with the weights are reported to `onError`. Never accesses the
 * network.
 *
 * @throws InvalidOptionError
 *
 * @example
 * const encoder = loadEncoder()
 * const toolSearch = createToolSearch({ tools, ranker: () => hybridRanker({ vectors: encoder }) })
 */
export function loadEncoder(options: EncoderOptions = {}): Encoder {
  checkEncoderOptions(options)
  const {
    cacheDir = defaultCacheDir(process.env),
    timeoutMs = 1_000,
    onError = (error: Error) => process.emitWarning(error.message, 'ToolSearchEncoder'),
    file = fileURLToPath(new URL('../data/model.bin', import.meta.url)),
  } = options
  const thread = createEncoderThread({ start: () => startWorker(file) })
  const reported = new Set<string>()
  let cache: Promise<VectorCache> | undefined
  let isClosed = false

  const embedder: Embedder = {
    id: 'toolsearch-encoder',
    maxBatch: MAX_BATCH,
    centred: true,
    knownShare: latinShare,
    async embed(texts, { kind, signal }) {
      if (kind === 'query' || cacheDir === false) {
        return [...(await thread.encode(texts, kind, signal))]
      }
      return embedDocuments(texts, await openCache(cacheDir), signal)
    },
  }
  const vectors = createRemoteVectors({ embedder, timeoutMs, maxKept: MAX_KEPT, onError: report })
  const { settled, close } = vectors
  return Object.assign(vectors, {
    settled: () => whileAlive(settled),
    close() {
      isClosed = true
      close()
      return thread.close()
    },
  })

  async function embedDocuments(
    texts: readonly string[],
    cache: VectorCache,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const found = texts.map((text) => cache.get(text))
    const missing = texts.filter((_, at) => found[at] === undefined)
    if (missing.length === 0) return found as Float32Array[]
    const encoded = [...(await thread.encode(missing, 'document', signal))]
    cache.add(missing, encoded).catch((error: Error) => {
      report(new Error(`Cannot store vectors in ${cacheDir}: ${error.message}`))
    })
    return found.map((vector) => vector ?? encoded.shift()!)
  }

  /** The name of the file is derived from the model, so that models do not overwrite each other's. */
  function openCache(folder: string): Promise<VectorCache> {
    cache ??= thread.model().then((id) => {
      const name = createHash('sha256').update(id).digest('hex').slice(0, 16)
      return openVectorCache({ file: join(folder, `${name}.vectors`), id, maxKept: MAX_KEPT })
    })
    // The next batch tries again.
    cache.catch(() => {
      cache = undefined
    })
    return cache
  }

  function report(error: Error): void {
    // Closing ends what is still in progress, which is not a failure.
    if (isClosed || reported.has(error.message)) return
    reported.add(error.message)
    onError(error)
  }
}

/** The thread alone does not keep the process alive, so that a process which is done can end. */
async function whileAlive(task: () => Promise<void>): Promise<void> {
  const timer = setInterval(() => {}, 60_000)
  try {
    await task()
  } finally {
    clearInterval(timer)
  }
}

function defaultCacheDir(env: NodeJS.ProcessEnv): string {
  const base = env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(env.TOOLSEARCH_CACHE ?? join(base, 'toolsearch'), 'vectors')
}

function startWorker(file: string): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  if (!isSource) {
    // Without the options of the process: `--import` would run the setup of a program once more.
    const options = { workerData: file, execArgv: [] }
    return new Worker(new URL('./encoder-worker.js', import.meta.url), options)
  }
  // In the repository, packages run from their sources, which Node 20 cannot load by itself.
  const entry = JSON.stringify(new URL('./encoder-worker.ts', import.meta.url).href)
  const script = `import('tsx/esm/api').then(({ register }) => { register(); return import(${entry}) })`
  const execArgv = ['--conditions=@toolsearch/source']
  return new Worker(script, { eval: true, workerData: file, execArgv })
}
