import type { CommandCall } from './command.ts'
import { UsageError } from './usage-error.ts'

/** Options of commands that ask a gateway that runs. */
export const askOptions = {
  url: { type: 'string', short: 'u' },
  json: { type: 'boolean' },
} as const

export const askHelp: readonly string[] = [
  '-u, --url ADDRESS  where it runs, as toolsearch serve says; TOOLSEARCH_TOKEN if it asks for one',
  '--json             print data instead of text',
]

/** Asks the API of a gateway that runs. @throws UsageError when it cannot be asked, with what to do */
export async function askGateway(
  { values, env }: Pick<CommandCall, 'values' | 'env'>,
  path: string,
): Promise<Response> {
  const { url } = values
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:/.test(url)) {
    throw new UsageError('Say where the gateway runs: --url http://127.0.0.1:7777.')
  }
  const token = env.TOOLSEARCH_TOKEN
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  let response: Response
  try {
    response = await fetch(new URL(path, url), { headers })
  } catch {
    throw new UsageError(
      `No gateway answers at ${url}. Start one with toolsearch serve --http, or --inspect.`,
    )
  }
  if (response.ok) return response
  if (response.status === 401) {
    throw new UsageError(`${url} asks for a token: set TOOLSEARCH_TOKEN to the one it has.`)
  }
  const { error = 'it has no inspector' } = (await response.json().catch(() => ({}))) as {
    error?: string
  }
  throw new UsageError(`${url} answered ${response.status}: ${error}`)
}
