import { callIn, type GeminiContent, type Named, type Part, partsOf, responseIn } from './parts.ts'

/** A content with calls, and the response to each of them if there is one. */
export interface CallTurn {
  readonly at: number
  readonly calls: readonly Named[]
  readonly responses: readonly (PlacedResponse | undefined)[]
}

export interface PlacedResponse {
  readonly at: number
  readonly part: Part
  readonly response: Named
}

export interface MatchedResponses {
  readonly turns: readonly CallTurn[]
  /** Responses that belong to no call. */
  readonly orphans: readonly PlacedResponse[]
}

/**
 * Finds the response to each call. A response with the same id matches anywhere in the history. If
 * one of them has no id, they match by name and order, but only up to the next content with calls. A
 * response with the same id and the same name has priority.
 */
export function matchResponses(contents: readonly GeminiContent[]): MatchedResponses {
  const placed = contents.map(responsesAt)
  const turns = contents.flatMap(callTurn)
  const matched = new Set<PlacedResponse>()
  turns.forEach((turn, index) => {
    const nearby = placed.slice(turn.at + 1, turns[index + 1]?.at).flat()
    match(turn, nearby, hasSameIdAndName)
    match(turn, nearby, hasSameId)
    match(turn, nearby, hasSameName)
  })
  // Ids can be reused, so distant responses are matched only after all nearby ones.
  const unmatched = placed.flat().filter((response) => !matched.has(response))
  for (const turn of turns) {
    const later = unmatched.filter((response) => response.at > turn.at)
    match(turn, later, hasSameId)
  }
  return { turns, orphans: unmatched.filter((response) => !matched.has(response)) }

  function match(
    turn: OpenTurn,
    candidates: readonly PlacedResponse[],
    fits: (call: Named, response: Named) => boolean,
  ): void {
    turn.calls.forEach((call, index) => {
      if (turn.responses[index] !== undefined) return
      const found = candidates.find(
        (candidate) => !matched.has(candidate) && fits(call, candidate.response),
      )
      if (found === undefined) return
      turn.responses[index] = found
      matched.add(found)
    })
  }
}

interface OpenTurn extends CallTurn {
  readonly responses: (PlacedResponse | undefined)[]
}

function callTurn(content: GeminiContent, at: number): OpenTurn[] {
  const calls = partsOf(content).flatMap((part) => callIn(part) ?? [])
  return calls.length > 0 ? [{ at, calls, responses: calls.map(() => undefined) }] : []
}

function responsesAt(content: GeminiContent, at: number): PlacedResponse[] {
  return partsOf(content).flatMap((part) => {
    const response = responseIn(part)
    return response ? [{ at, part, response }] : []
  })
}

export function hasSameIdAndName(call: Named, response: Named): boolean {
  return call.id === response.id && call.name === response.name
}

function hasSameId(call: Named, response: Named): boolean {
  return call.id !== undefined && call.id === response.id
}

function hasSameName(call: Named, response: Named): boolean {
  return call.name === response.name && (call.id === undefined || response.id === undefined)
}
