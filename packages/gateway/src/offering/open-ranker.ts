import {
  createLexicon,
  createRemoteVectors,
  type Embedder,
  endpointEmbedder,
  fieldedRanker,
  hybridRanker,
  type Lexicon,
  type Ranker,
  type RemoteVectors,
  type TextVectors,
  translatingRanker,
} from 'toolsearch/rankers'
import { loadLexicon, loadStaticEmbedder } from 'toolsearch-semantics'
import type { EmbedderConfig, GatewayConfig } from '../config/gateway-config.ts'
import { redactUrl } from '../config/redact.ts'

/** The ranker that a configuration selects, and what it needs while the gateway is open. */
export interface OpenRanker {
  /** Creates a ranker for a catalogue. */
  readonly create: () => Ranker
  /** Whether a model computes vectors in the background; see `settled`. */
  readonly isRemote: boolean
  /** Resolves when every tool has its vectors, or they cannot be had. Never rejects. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface OpenRankerOptions {
  /** Where to keep the vectors of tools. False to keep them in memory only. */
  readonly cacheDir: string | false
  /** Called when search works worse than configured, with what to do about it. */
  readonly warn: (message: string) => void
  /** @default an import of the package, which is installed separately */
  readonly importEncoder?: () => Promise<Pick<typeof import('toolsearch-encoder'), 'loadEncoder'>>
  /** @default loadStaticEmbedder of toolsearch-semantics */
  readonly loadTable?: () => TextVectors
  /** @default loadLexicon of toolsearch-semantics */
  readonly readLexicon?: () => Uint8Array
}

// Reading them takes as long as opening a gateway otherwise does.
const sharedTable = shareWhileUsed(loadStaticEmbedder)
const sharedLexicon = shareWhileUsed(() => createLexicon(loadLexicon()))

/** Gateways of one process, and the rankers that the inspector compares, use the same data. */
function shareWhileUsed<T extends object>(load: () => T): () => T {
  let shared: WeakRef<T> | undefined
  return () => {
    const known = shared?.deref()
    if (known) return known
    const loaded = load()
    shared = new WeakRef(loaded)
    return loaded
  }
}

type RankingConfig = Pick<GatewayConfig, 'ranking' | 'embedder' | 'translateQueries'>

/** Never rejects: what cannot be loaded is reported once, and searches go on without it. */
export async function openRanker(
  config: RankingConfig,
  options: OpenRankerOptions,
): Promise<OpenRanker> {
  const { sources, remote } = await openSources(config, options)
  const create =
    sources.length > 0 ? () => hybridRanker({ vectors: sources }) : () => fieldedRanker()
  const lexicon = config.translateQueries ? openLexicon(options) : undefined
  return {
    create: lexicon ? () => translatingRanker({ ranker: create(), lexicon }) : create,
    isRemote: remote !== undefined,
    settled: async () => remote?.settled(),
    close: async () => remote?.close(),
  }
}

/** The first source is the one that was configured; until its vectors arrive, the table ranks alone. */
async function openSources(
  { ranking, embedder }: RankingConfig,
  options: OpenRankerOptions,
): Promise<{ sources: readonly TextVectors[]; remote?: RemoteVectors }> {
  if (ranking === 'words') return { sources: [] }
  const table = openTable(options)
  const remote = embedder
    ? remoteVectors(embedder, options)
    : ranking === 'encoder'
      ? await openEncoder(options)
      : undefined
  return remote ? { sources: [remote, ...table], remote } : { sources: table }
}

function openTable({ warn, loadTable = sharedTable }: OpenRankerOptions): TextVectors[] {
  try {
    return [loadTable()]
  } catch (error) {
    warn(
      `The embedding table cannot be loaded: ${(error as Error).message} Reinstall toolsearch-semantics. Until then, the gateway searches without it.`,
    )
    return []
  }
}

function openLexicon({ warn, readLexicon }: OpenRankerOptions): Lexicon | undefined {
  try {
    return readLexicon ? createLexicon(readLexicon()) : sharedLexicon()
  } catch (error) {
    warn(
      `Queries in other languages are not translated. ${(error as Error).message} Reinstall toolsearch-semantics.`,
    )
    return undefined
  }
}

/** The embedding model at the address that a configuration names. */
export function configuredEmbedder({ url, model, apiKey, centred }: EmbedderConfig): Embedder {
  return endpointEmbedder({
    baseUrl: url,
    model,
    centred,
    ...(apiKey !== undefined && { apiKey }),
  })
}

function remoteVectors(config: EmbedderConfig, { warn }: OpenRankerOptions): RemoteVectors {
  const { url, model } = config
  const reported = new Set<string>()
  return createRemoteVectors({
    embedder: configuredEmbedder(config),
    onError({ message }) {
      if (reported.has(message)) return
      reported.add(message)
      warn(
        `The embedding model "${model}" at ${redactUrl(url)} failed: ${sentence(message)} Until it responds, the gateway searches with its built-in table.`,
      )
    },
  })
}

async function openEncoder({
  cacheDir,
  warn,
  importEncoder = () => import('toolsearch-encoder'),
}: OpenRankerOptions) {
  try {
    const { loadEncoder } = await importEncoder()
    const onError = ({ message }: Error) =>
      warn(`${message} The gateway searches with its built-in table.`)
    return loadEncoder({ cacheDir, onError })
  } catch (error) {
    const reason = isMissing(error) ? '' : ` (${(error as Error).message})`
    warn(
      `"ranking": "encoder" needs the package toolsearch-encoder${reason}. Install it next to toolsearch-gateway: npm install toolsearch-encoder. Until then, the gateway searches with its built-in table.`,
    )
    return undefined
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
}

/** Messages of other libraries end without a full stop. */
function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}
