import type { Repair } from '../provider.ts'
import { NO_RESULT } from '../repair-texts.ts'
import {
  type CallTurn,
  hasSameIdAndName,
  matchResponses,
  type PlacedResponse,
} from './match-responses.ts'
import { type GeminiContent, type Named, type Part, partsOf, responseIn } from './parts.ts'

/** A content with its index in the original history. */
export interface IndexedContent {
  readonly content: GeminiContent
  readonly at: number
}

/**
 * Puts the responses to every content with calls into the next content, which must contain nothing
 * else. Moves responses that are elsewhere, adds placeholders for missing ones, and drops those
 * without a call.
 */
export function pairResponses(
  contents: readonly GeminiContent[],
  repairs: Repair[],
): IndexedContent[] {
  const { turns, orphans } = matchResponses(contents)
  const turnAt = new Map(turns.map((turn) => [turn.at, turn]))
  for (const { at, response } of orphans) {
    repairs.push({ kind: 'result-dropped', about: about(response), at })
  }
  return contents.flatMap((content, at) => {
    const turn = turnAt.get(at)
    if (turn !== undefined) {
      if (isAnswered(turn, contents)) return [{ content, at }]
      return [
        { content, at },
        { content: responseContent(turn, contents, repairs), at },
      ]
    }
    const previous = turnAt.get(at - 1)
    if (previous !== undefined && isAnswered(previous, contents)) return [{ content, at }]
    const remaining = withoutResponses(content)
    return partsOf(remaining).length > 0 ? [{ content: remaining, at }] : []
  })
}

/** Whether the next content consists of exactly the responses. */
function isAnswered(
  { at, calls, responses }: CallTurn,
  contents: readonly GeminiContent[],
): boolean {
  const next = contents[at + 1]
  return (
    next !== undefined &&
    partsOf(next).length === calls.length &&
    calls.every(
      (call, index) => responses[index]?.at === at + 1 && hasNameOf(responses[index], call),
    )
  )
}

function responseContent(
  { at, calls, responses }: CallTurn,
  contents: readonly GeminiContent[],
  repairs: Repair[],
): GeminiContent {
  const parts = calls.map((call, index) => {
    const response = responses[index]
    if (response === undefined) {
      repairs.push({ kind: 'call-answered', about: about(call), at })
      return noResult(call)
    }
    const isAlone = response.at === at + 1 && partsOf(contents[at + 1]!).every(responseIn)
    if (!isAlone || !hasNameOf(response, call)) {
      repairs.push({ kind: 'result-moved', about: about(call), at: response.at })
    }
    return hasSameIdAndName(call, response.response)
      ? response.part
      : addressedTo(call, response.part)
  })
  return { role: 'user', parts }
}

/**
 * A response to a call through `call_tool` may have the name of the tool inside the call, which the
 * service rejects.
 */
function hasNameOf(response: PlacedResponse | undefined, { name }: Named): boolean {
  return response?.response.name === name
}

function addressedTo({ id, name }: Named, part: Part): Part {
  const { id: _, ...rest } = part.functionResponse as Part
  return { ...part, functionResponse: { ...(id !== undefined && { id }), ...rest, name } }
}

function withoutResponses(content: GeminiContent): GeminiContent {
  const parts = partsOf(content)
  const rest = parts.filter((part) => !responseIn(part))
  return rest.length === parts.length ? content : { ...content, parts: rest }
}

function noResult({ id, name }: Named): Part {
  const response = { error: NO_RESULT }
  return { functionResponse: { ...(id !== undefined && { id }), name, response } }
}

function about({ id, name }: Named): string {
  return id ?? name
}
