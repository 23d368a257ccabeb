import { ApiFailure, type FailureCode } from './api-failure.ts'
import type {
  AccountList,
  ActivityReport,
  ApiError,
  AuditReport,
  ConfigChangeReport,
  ConfigEdit,
  ConfigUndoReport,
  ExampleList,
  HistoryPage,
  KeyList,
  LearnedReport,
  LimitsReport,
  Me,
  MissReport,
  NewKey,
  NewKeyRequest,
  Overview,
  PeopleReport,
  PersonAccess,
  SampleSession,
  SavedQuery,
  SavedReport,
  SearchReport,
  ServerReport,
  SignInStart,
  SkillChanges,
  SkillFileText,
  Timeline,
  ToolCallReport,
  ToolCallRequest,
  ToolExplanation,
  ToolList,
  ToolReport,
} from './contract.ts'

type Params = Readonly<Record<string, string | number | undefined>>

interface SearchParams extends Params {
  readonly query: string
  readonly limit?: number | undefined
  readonly ranker?: string | undefined
}

/** A period; `since` is a duration before now, such as `24h`. */
interface Period extends Params {
  readonly since?: string | undefined
}

interface HistoryParams extends Period {
  readonly kind?: string | undefined
  readonly server?: string | undefined
  readonly client?: string | undefined
  readonly text?: string | undefined
  readonly limit?: number
  /** Where the previous page ended. */
  readonly before?: string | undefined
}

interface AuditParams extends Period {
  readonly person?: string | undefined
  readonly tool?: string | undefined
  readonly outcome?: string | undefined
  readonly text?: string | undefined
  /** `1`: only searches that found nothing. */
  readonly notFound?: string | undefined
  readonly limit?: number
  /** Where the previous page ended. */
  readonly before?: string | undefined
}

type ToolVersion = Pick<ToolReport, 'name' | 'fingerprint'>

/** The gateway's API. Every method rejects with ApiFailure, or with the reason of an abort. */
export interface Client {
  me(signal?: AbortSignal): Promise<Me>
  /** Ends the session of this browser. */
  signOut(): Promise<void>
  overview(signal?: AbortSignal): Promise<Overview>
  tools(signal?: AbortSignal): Promise<ToolList>
  tool(name: string, signal?: AbortSignal): Promise<ToolReport>
  /** Rejects if the definition has changed since `tool` was fetched. */
  accept(tool: ToolVersion): Promise<ToolReport>
  block(tool: ToolVersion): Promise<ToolReport>
  /** Takes back the last accept or block. */
  undoDecision(name: string): Promise<ToolReport>
  call(name: string, request: ToolCallRequest, signal?: AbortSignal): Promise<ToolCallReport>
  skillChanges(name: string, signal?: AbortSignal): Promise<SkillChanges>
  skillFile(name: string, path: string, signal?: AbortSignal): Promise<SkillFileText>
  learned(tool: string, signal?: AbortSignal): Promise<LearnedReport>
  /** @param words forgets only requests with these words */
  forget(tool: string, words: string | undefined): Promise<LearnedReport>
  restart(server: string): Promise<ServerReport>
  signIn(server: string): Promise<SignInStart>
  /** Only returns the difference. */
  previewEdit(edit: ConfigEdit, signal?: AbortSignal): Promise<ConfigChangeReport>
  edit(edit: ConfigEdit): Promise<ConfigChangeReport>
  undoEdit(id: string): Promise<ConfigUndoReport>
  search(params: SearchParams, signal?: AbortSignal): Promise<SearchReport>
  explain(
    params: SearchParams & { readonly tool: string },
    signal?: AbortSignal,
  ): Promise<ToolExplanation>
  saved(ranker: string | undefined, signal?: AbortSignal): Promise<SavedReport>
  save(query: SavedQuery): Promise<SavedReport>
  removeSaved(query: string): Promise<SavedReport>
  activity(signal?: AbortSignal): Promise<ActivityReport>
  history(params: HistoryParams, signal?: AbortSignal): Promise<HistoryPage>
  timeline(period: Period, signal?: AbortSignal): Promise<Timeline>
  misses(period: Period, signal?: AbortSignal): Promise<MissReport>
  sample(signal?: AbortSignal): Promise<SampleSession>
  examples(signal?: AbortSignal): Promise<ExampleList>
  people(period: Period, signal?: AbortSignal): Promise<PeopleReport>
  access(
    params: Params & { readonly person: string; readonly profile?: string | undefined },
    signal?: AbortSignal,
  ): Promise<PersonAccess>
  limits(period: Period, signal?: AbortSignal): Promise<LimitsReport>
  keys(signal?: AbortSignal): Promise<KeyList>
  createKey(request: NewKeyRequest): Promise<NewKey>
  revokeKey(id: string): Promise<KeyList>
  audit(params: AuditParams, signal?: AbortSignal): Promise<AuditReport>
  accounts(signal?: AbortSignal): Promise<AccountList>
  /** Starts a sign-in that this browser has to finish. */
  connectAccount(server: string): Promise<SignInStart>
  disconnectAccount(server: string): Promise<object>
  setAccountValues(server: string, values: Readonly<Record<string, string>>): Promise<void>
  /** Opens the stream of server-sent events. */
  events(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly params?: Params
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** @param token called before each request */
export function createClient(
  token: () => string | undefined,
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): Client {
  async function send(path: string, { method = 'GET', params, body, signal }: RequestOptions) {
    const search = new URLSearchParams()
    for (const [key, value] of Object.entries(params ?? {}))
      if (value !== undefined) search.set(key, String(value))
    const headers = new Headers()
    const secret = token()
    if (secret !== undefined) {
      if (!/^[\x20-\xff]*$/.test(secret))
        throw new ApiFailure('token', 'The token contains invalid characters.')
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
      throw new ApiFailure('unreachable', 'The gateway is not responding. Is it still running?')
    })
    if (response.ok) return response
    throw new ApiFailure(failureOf(response), await reasonOf(response))
  }
  const ask = async <T>(path: string, options: RequestOptions): Promise<T> =>
    (await send(path, options)).json() as Promise<T>

  const act = <T>(
    kind: 'tools' | 'servers' | 'accounts',
    name: string,
    action: string,
    options: RequestOptions = {},
  ): Promise<T> =>
    ask(`${kind}/${encodeURIComponent(name)}/${action}`, { method: 'POST', ...options })

  return {
    me: (signal) => ask('me', { signal }),
    async signOut() {
      // The answer is a redirect to a page that is of no use here.
      await fetch('/sign-out', { method: 'POST', redirect: 'manual' })
    },
    overview: (signal) => ask('overview', { signal }),
    tools: (signal) => ask('tools', { signal }),
    tool: (name, signal) => ask(`tools/${encodeURIComponent(name)}`, { signal }),
    accept: ({ name, fingerprint }) => act('tools', name, 'accept', { params: { fingerprint } }),
    block: ({ name, fingerprint }) => act('tools', name, 'block', { params: { fingerprint } }),
    undoDecision: (name) => act('tools', name, 'undo'),
    call: (name, body, signal) => act('tools', name, 'call', { body, signal }),
    skillChanges: (name, signal) => act('tools', name, 'changes', { method: 'GET', signal }),
    skillFile: (name, path, signal) =>
      act('tools', name, 'file', { method: 'GET', params: { path }, signal }),
    learned: (tool, signal) => act('tools', tool, 'learned', { method: 'GET', signal }),
    forget: (tool, words) => act('tools', tool, 'learned', { method: 'DELETE', params: { words } }),
    restart: (server) => act('servers', server, 'restart'),
    signIn: (server) => act('servers', server, 'sign-in'),
    previewEdit: (body, signal) =>
      ask('config', { method: 'POST', params: { dry: 1 }, body, signal }),
    edit: (body) => ask('config', { method: 'POST', body }),
    undoEdit: (id) => ask('config/undo', { method: 'POST', body: { id } }),
    search: (params, signal) => ask('search', { params, signal }),
    explain: (params, signal) => ask('explain', { params, signal }),
    saved: (ranker, signal) => ask('saved', { params: { ranker }, signal }),
    save: (body) => ask('saved', { method: 'POST', body }),
    removeSaved: (query) => ask('saved', { method: 'DELETE', params: { query } }),
    activity: (signal) => ask('activity', { signal }),
    history: (params, signal) => ask('history', { params, signal }),
    timeline: (params, signal) => ask('timeline', { params, signal }),
    misses: (params, signal) => ask('misses', { params, signal }),
    sample: (signal) => ask('sample', { signal }),
    examples: (signal) => ask('examples', { signal }),
    people: (params, signal) => ask('people', { params, signal }),
    access: (params, signal) => ask('access', { params, signal }),
    limits: (params, signal) => ask('limits', { params, signal }),
    keys: (signal) => ask('keys', { signal }),
    createKey: (body) => ask('keys', { method: 'POST', body }),
    revokeKey: (id) => ask(`keys/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    audit: (params, signal) => ask('audit', { params, signal }),
    accounts: (signal) => ask('accounts', { signal }),
    connectAccount: (server) => act('accounts', server, 'connect'),
    disconnectAccount: (server) =>
      ask(`accounts/${encodeURIComponent(server)}`, { method: 'DELETE' }),
    async setAccountValues(server, values) {
      const path = `accounts/${encodeURIComponent(server)}/values`
      await send(path, { method: 'PUT', body: { values } })
    },
    async events(signal) {
      const { body } = await send('events', { signal })
      if (body === null) throw new ApiFailure('refused', 'The gateway sent no events.')
      return body
    },
  }
}

/** Gateways where people sign in say where, for MCP clients. */
function failureOf({ status, headers }: Response): FailureCode {
  if (status !== 401) return 'refused'
  const challenge = headers.get('www-authenticate') ?? ''
  return challenge.includes('resource_metadata') ? 'sign-in' : 'token'
}

async function reasonOf(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => undefined)) as Partial<ApiError> | undefined
  // The parameters are part of the URL, and servers limit its length.
  if (response.status === 431 || response.status === 414) return 'The query is too long.'
  return answer?.error ?? `The gateway answered with status ${response.status}.`
}
