import { ApiFailure } from './api-failure.ts'
import type {
  ActivityReport,
  ApiError,
  MissReport,
  Overview,
  SavedQuery,
  SavedReport,
  SearchReport,
  ToolExplanation,
  ToolList,
  ToolReport,
} from './contract.ts'

type Params = Readonly<Record<string, string | number | undefined>>

interface SearchQuestion extends Params {
  readonly query: string
  readonly limit?: number | undefined
  readonly ranker?: string | undefined
}

/** The gateway's API. Every method rejects with ApiFailure, or because it was aborted. */
export interface Client {
  overview(signal?: AbortSignal): Promise<Overview>
  tools(signal?: AbortSignal): Promise<ToolList>
  tool(name: string, signal?: AbortSignal): Promise<ToolReport>
  /** Refused if the tool is no longer what it was when it was read. */
  accept(tool: Pick<ToolReport, 'name' | 'mark'>): Promise<ToolReport>
  search(question: SearchQuestion, signal?: AbortSignal): Promise<SearchReport>
  explain(
    question: SearchQuestion & { readonly tool: string },
    signal?: AbortSignal,
  ): Promise<ToolExplanation>
  saved(ranker: string | undefined, signal?: AbortSignal): Promise<SavedReport>
  save(query: SavedQuery): Promise<SavedReport>
  forget(query: string): Promise<SavedReport>
  activity(signal?: AbortSignal): Promise<ActivityReport>
  misses(signal?: AbortSignal): Promise<MissReport>
  /** What happens from now on, as it is sent. */
  events(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

interface Asking {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly params?: Params
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** `token` is asked before each request. */
export function createClient(
  token: () => string | undefined,
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): Client {
  async function send(path: string, { method = 'GET', params, body, signal }: Asking) {
    const search = new URLSearchParams()
    for (const [key, value] of Object.entries(params ?? {}))
      if (value !== undefined) search.set(key, String(value))
    const headers = new Headers()
    const secret = token()
    if (secret !== undefined) {
      if (!/^[\x20-\xff]*$/.test(secret)) throw new ApiFailure('token', 'No token has such signs.')
      headers.set('authorization', `Bearer ${secret}`)
    }
    if (body !== undefined) headers.set('content-type', 'application/json')
    const response = await fetch(`api/${path}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers,
      signal: signal ?? null,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new ApiFailure('unreachable', 'The gateway does not answer. Is it still running?')
    })
    if (response.ok) return response
    throw new ApiFailure(response.status === 401 ? 'token' : 'refused', await reasonOf(response))
  }
  const ask = async <T>(path: string, asking: Asking): Promise<T> =>
    (await send(path, asking)).json() as Promise<T>

  return {
    overview: (signal) => ask('overview', { signal }),
    tools: (signal) => ask('tools', { signal }),
    tool: (name, signal) => ask(`tools/${encodeURIComponent(name)}`, { signal }),
    accept: ({ name, mark }) =>
      ask(`tools/${encodeURIComponent(name)}/accept`, { method: 'POST', params: { mark } }),
    search: (params, signal) => ask('search', { params, signal }),
    explain: (params, signal) => ask('explain', { params, signal }),
    saved: (ranker, signal) => ask('saved', { params: { ranker }, signal }),
    save: (body) => ask('saved', { method: 'POST', body }),
    forget: (query) => ask('saved', { method: 'DELETE', params: { query } }),
    activity: (signal) => ask('activity', { signal }),
    misses: (signal) => ask('misses', { signal }),
    async events(signal) {
      const { body } = await send('events', { signal })
      if (body === null) throw new ApiFailure('refused', 'The gateway sent no events.')
      return body
    },
  }
}

async function reasonOf(response: Response): Promise<string> {
  const said = (await response.json().catch(() => undefined)) as Partial<ApiError> | undefined
  // what was asked stands in the address, and a server reads only so much of one
  if (response.status === 431 || response.status === 414) return 'That is too long to be asked.'
  return said?.error ?? `The gateway answered with status ${response.status}.`
}
