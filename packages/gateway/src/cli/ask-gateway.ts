import { CommandFailure } from './command-errors.ts'
import type { ConfigCall } from './find-config.ts'
import { findGateway } from './find-gateway.ts'

/** Options of commands that query a running gateway. */
export const askOptions = {
  url: { type: 'string', short: 'u' },
  config: { type: 'string', short: 'c' },
  json: { type: 'boolean' },
} as const

export const askHelp: readonly string[] = [
  '-u, --url URL      URL of the gateway (default: the gateway that is running);',
  '                   set TOOLSEARCH_TOKEN if it requires a token or an API key',
  '-c, --config FILE  if several gateways are running: the one with this config file',
  '--json             print JSON',
]

const HISTORY_ADVICE =
  '\nTo read the history on disk instead, run toolsearch history or toolsearch misses --since 7d.'

/** Sends a request to the API of a running gateway. @throws CommandFailure with advice if that fails */
export async function askGateway(
  call: ConfigCall,
  path: string,
  { method = 'GET' }: { method?: 'GET' | 'POST' } = {},
): Promise<Response> {
  const url = await findGateway(call, method === 'GET' ? HISTORY_ADVICE : '')
  const token = call.env.TOOLSEARCH_TOKEN
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(method === 'POST' && { 'content-type': 'application/json' }),
  }
  let response: Response
  try {
    response = await fetch(new URL(path, url), {
      method,
      headers,
      ...(method === 'POST' && { body: '{}' }),
    })
  } catch {
    throw new CommandFailure(
      `Could not connect to a gateway at ${url}. Start one with toolsearch serve --http or --inspect.`,
    )
  }
  if (response.ok) return response
  if (response.status === 401) {
    throw new CommandFailure(
      token
        ? `${url} rejected the token in TOOLSEARCH_TOKEN. Set it to the gateway's token, or to an API key.`
        : `${url} requires a token. Set TOOLSEARCH_TOKEN to the gateway's token, or to an API key.`,
    )
  }
  const { error } = (await response.json().catch(() => ({}))) as { error?: string }
  throw new CommandFailure(
    error ?? `There is no inspector at ${url}: it responded with status ${response.status}.`,
  )
}

/** Yields the JSON data of server-sent events until the stream ends or breaks. */
export async function* readEvents<T>({ body }: Response): AsyncGenerator<T> {
  if (!body) return
  const { EventSourceParserStream } = await import('eventsource-parser/stream')
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  const reader = events.getReader()
  try {
    for (;;) {
      // A broken connection ends the stream like a regular end: the gateway is gone in both cases.
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done || !value) return
      yield JSON.parse(value.data) as T
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
