import type { Repair } from '../provider.ts'
import { NO_RESULT } from '../repair-words.ts'
import { type CallTurn, isSame, matchResponses, type PlacedResponse } from './match-responses.ts'
import { type GeminiContent, type Named, type Part, partsOf, responseIn } from './parts.ts'

/** A content with its place in the history it came from. */
export interface Placed {
  readonly content: GeminiContent
  readonly at: number
}

/**
 * Gives every content with calls its responses in the very next one, which holds nothing else.
 * Responses elsewhere are moved there, missing ones are made up, and those without a call dropped.
 */
export function pairResponses(contents: readonly GeminiContent[], repairs: Repair[]): Placed[] {
  const { turns, orphans } = matchResponses(contents)
  const turnAt = new Map(turns.map((turn) => [turn.at, turn]))
  for (const { at, response } of orphans) {
    repairs.push({ kind: 'result-dropped', about: about(response), at })
  }
  return contents.flatMap((content, at) => {
    const turn = turnAt.get(at)
    if (turn !== undefined) {
      const isFine = isAnswered(turn, contents)
      return [
        { content, at },
        ...(isFine ? [] : [{ content: answer(turn, contents, repairs), at }]),
      ]
    }
    const before = turnAt.get(at - 1)
    if (before !== undefined && isAnswered(before, contents)) return [{ content, at }]
    const rest = withoutResponses(content)
    return partsOf(rest).length > 0 ? [{ content: rest, at }] : []
  })
}

/** Whether the next content holds the responses and nothing but them. */
function isAnswered(
  { at, calls, responses }: CallTurn,
  contents: readonly GeminiContent[],
): boolean {
  const next = contents[at + 1]
  return (
    next !== undefined &&
    partsOf(next).length === calls.length &&
    calls.every((call, index) => responses[index]?.at === at + 1 && isNamed(responses[index], call))
  )
}

function answer(
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
    if (!isAlone || !isNamed(response, call)) {
      repairs.push({ kind: 'result-moved', about: about(call), at: response.at })
    }
    return isSame(call, response.response) ? response.part : addressed(response.part, call)
  })
  return { role: 'user', parts }
}

/** One that was written for the tool inside a call of the bridge bears that tool's name. */
function isNamed(placed: PlacedResponse | undefined, { name }: Named): boolean {
  return placed?.response.name === name
}

function addressed(part: Part, { id, name }: Named): Part {
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
