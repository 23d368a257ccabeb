import {
  createRemoteVectors,
  endpointEmbedder,
  hybridRanker,
  type Ranker,
  type TextVectors,
} from 'toolsearch'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import type { EmbedderConfig, GatewayConfig } from '../config/gateway-config.ts'
import { redactUrl } from '../config/redact.ts'

/** The ranker that a configuration selects, and what it needs while the gateway is open. */
export interface OpenRanker {
  /** Creates a ranker for a catalogue. Undefined for the keyword ranker of the library. */
  readonly create?: () => Ranker
  close(): Promise<void>
}

export interface OpenRankerOptions {
  /** Where to keep the vectors of tools. False to keep them in memory only. */
  readonly cacheDir: string | false
  /** Called when semantic search works worse than configured, with what to do about it. */
  readonly warn: (message: string) => void
  /** @default an import of the package, which is installed separately */
  readonly importEncoder?: () => Promise<Pick<typeof import('toolsearch-encoder'), 'loadEncoder'>>
}

/** Never rejects: without an encoder or embedder, the gateway searches with its built-in table. */
export async function openRanker(
  { ranking, embedder }: Pick<GatewayConfig, 'ranking' | 'embedder'>,
  options: OpenRankerOptions,
): Promise<OpenRanker> {
  const close = async () => {}
  if (ranking === 'words') return { close }
  const table = loadStaticEmbedder()
  const withTable = () => hybridRanker({ vectors: table })
  // Tools whose vectors have not arrived, and searches whose query has none, are ranked by the table.
  const withVectors = (vectors: TextVectors) => () =>
    hybridRanker({ vectors, lexical: withTable() })
  if (embedder) return { create: withVectors(remoteVectors(embedder, options)), close }
  const encoder = ranking === 'encoder' ? await openEncoder(options) : undefined
  if (!encoder) return { create: withTable, close }
  return { create: withVectors(encoder), close: () => encoder.close() }
}

function remoteVectors(
  { url, model, apiKey, centred }: EmbedderConfig,
  { warn }: OpenRankerOptions,
): TextVectors {
  const reported = new Set<string>()
  return createRemoteVectors({
    embedder: endpointEmbedder({
      baseUrl: url,
      model,
      centred,
      ...(apiKey !== undefined && { apiKey }),
    }),
    onError({ message }) {
      if (reported.has(message)) return
      reported.add(message)
      warn(
        `The embedding model "${model}" at ${redactUrl(url)} failed: ${message} Until it responds, the gateway searches with its built-in table.`,
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
