import {
  createLexicon,
  fieldedRanker,
  hybridRanker,
  type Lexicon,
  type Ranker,
  translatingRanker,
} from 'toolsearch'
import { loadLexicon, loadStaticEmbedder } from 'toolsearch-semantics'
import type { GatewayConfig } from '../config/gateway-config.ts'

export interface GatewayRankerOptions {
  /** @default loadLexicon of toolsearch-semantics */
  readonly readLexicon?: () => Uint8Array
  /** Called once, if the lexicon cannot be read. @default process.emitWarning */
  readonly warn?: (message: string) => void
}

/** Creates rankers as configured. Without a lexicon, searches go on, but nothing is translated. */
export function gatewayRanker(
  { ranking, translateQueries }: Pick<GatewayConfig, 'ranking' | 'translateQueries'>,
  { readLexicon = loadLexicon, warn = warnProcess }: GatewayRankerOptions = {},
): () => Ranker {
  const create =
    ranking === 'words'
      ? () => fieldedRanker()
      : () => hybridRanker({ vectors: loadStaticEmbedder() })
  if (!translateQueries) return create
  /** Null if it cannot be read. */
  let lexicon: Lexicon | null | undefined
  return () => {
    if (lexicon === undefined) lexicon = read()
    return lexicon ? translatingRanker({ ranker: create(), lexicon }) : create()
  }

  function read(): Lexicon | null {
    try {
      return createLexicon(readLexicon())
    } catch (error) {
      warn(`Queries in other languages are not translated. ${(error as Error).message}`)
      return null
    }
  }
}

function warnProcess(message: string): void {
  process.emitWarning(message, { type: 'ToolSearchWarning', code: 'no_lexicon' })
}
