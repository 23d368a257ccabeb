import { readFileSync } from 'node:fs'

/** A call to a loaded tool, and the server's result. */
interface ScriptedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly result: string
}

/** One request to the model, and the model's reply. */
export interface Turn {
  /** The user's message before this request. Without it, the request carries tool results. */
  readonly user?: string
  readonly reply: {
    readonly text?: string
    /** A call to `tool_search`, and the results that the model calls later. */
    readonly search?: { readonly query: string; readonly loads: readonly string[] }
    readonly calls?: readonly ScriptedCall[]
  }
}

/**
 * An hour on call in 30 requests: an alert, its cause in a pull request, messages to the team, the
 * rollback, the follow-up issue. Independent of any provider.
 */
export const conversation: readonly Turn[] = readConversation()

/** Joins long texts, which the file contains as lists of lines. */
function readConversation(): Turn[] {
  const text = readFileSync(new URL('./conversation.json', import.meta.url), 'utf8')
  return JSON.parse(text, (key, value) =>
    (key === 'text' || key === 'result') && Array.isArray(value) ? value.join('\n') : value,
  )
}
