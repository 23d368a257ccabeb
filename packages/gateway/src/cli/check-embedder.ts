import type { EmbedderConfig } from '../config/gateway-config.ts'
import { redactUrl } from '../config/redact.ts'
import { configuredEmbedder } from '../offering/open-ranker.ts'
import type { SetupProblem } from '../offering/setup-problem.ts'

/** A model may have to be loaded for the first request. */
const LIMIT_MS = 20_000

/** Asks the embedding model for one vector. Returns the problem if it does not return any. */
export async function checkEmbedder(config: EmbedderConfig): Promise<SetupProblem | undefined> {
  const { url, model } = config
  const embedder = configuredEmbedder(config)
  let reason: string
  try {
    const signal = AbortSignal.timeout(LIMIT_MS)
    const [vector] = await embedder.embed(['read a file'], { kind: 'query', signal })
    if (vector !== undefined && vector.length > 0) return undefined
    reason = 'The answer contains no vector.'
  } catch (error) {
    reason = reasonOf(error as Error).replaceAll(url, redactUrl(url))
  }
  return {
    kind: 'ineffective',
    path: ['toolsearch', 'embedder'],
    message: `The embedding model "${model}" at ${redactUrl(url)} does not work: ${reason} Searches use the built-in table until it does. Start it, or correct "toolsearch.embedder".`,
  }
}

function reasonOf({ name, message, cause }: Error): string {
  if (name === 'TimeoutError') return `no answer within ${LIMIT_MS / 1_000} seconds.`
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  const text = code ?? message
  return /[.!?]$/.test(text) ? text : `${text}.`
}
