import { ProviderUnavailableError } from './provider-unavailable-error.ts'

export interface FetchJsonOptions {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** @default 5_000 */
  readonly timeoutMs?: number
  /** @default 262_144 */
  readonly maxBytes?: number
}

export interface FetchedJson {
  readonly status: number
  readonly body: unknown
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Fetches JSON from an identity provider, within limits of time and size. Never follows redirects: what
 * decides about access must come from exactly the configured address.
 *
 * @throws ProviderUnavailableError
 */
export async function fetchJson(
  url: string,
  { timeoutMs = 5_000, maxBytes = 262_144, ...init }: FetchJsonOptions = {},
): Promise<FetchedJson> {
  if (!isSafeUrl(url)) throw new ProviderUnavailableError(`${url} does not start with https://.`)
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { ...init, redirect: 'error', signal })
    const text = await readText(response, maxBytes)
    return { status: response.status, body: JSON.parse(text) }
  } catch (error) {
    if (error instanceof ProviderUnavailableError) throw error
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    throw new ProviderUnavailableError(`${url} cannot be used: ${reason}.`, { cause: error })
  }
}

/** Whether a URL is encrypted, or stays on this machine. */
export function isSafeUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) {
      throw new ProviderUnavailableError(`${response.url} sent more than ${maxBytes} bytes.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
