import { callIn, type GeminiContent, type Named, type Part, partsOf, responseIn } from './parts.ts'

/** A content with calls, and what answers each of them, if anything does. */
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
  /** Those that answer nothing. */
  readonly orphans: readonly PlacedResponse[]
}

/**
 * Finds the response of each call. An id tells them apart anywhere; without one it is the name,
 * then the order, and only until the next calls. What fits in both comes first.
 */
export function matchResponses(contents: readonly GeminiContent[]): MatchedResponses {
  const placed = contents.map(responsesAt)
  const turns = contents.flatMap(callTurn)
  const taken = new Set<PlacedResponse>()
  turns.forEach((turn, index) => {
    const near = placed.slice(turn.at + 1, turns[index + 1]?.at).flat()
    take(turn, near, isSame)
    take(turn, near, hasSameId)
    take(turn, near, hasSameName)
  })
  // an id may be used again, so those near by come first
  const left = placed.flat().filter((response) => !taken.has(response))
  for (const turn of turns) {
    const after = left.filter((response) => response.at > turn.at)
    take(turn, after, hasSameId)
  }
  return { turns, orphans: left.filter((response) => !taken.has(response)) }

  function take(
    turn: OpenTurn,
    from: readonly PlacedResponse[],
    fits: (call: Named, response: Named) => boolean,
  ): void {
    turn.calls.forEach((call, index) => {
      if (turn.responses[index] !== undefined) return
      const found = from.find((one) => !taken.has(one) && fits(call, one.response))
      if (found === undefined) return
      turn.responses[index] = found
      taken.add(found)
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

export function isSame(call: Named, response: Named): boolean {
  return call.id === response.id && call.name === response.name
}

function hasSameId(call: Named, response: Named): boolean {
  return call.id !== undefined && call.id === response.id
}

function hasSameName(call: Named, response: Named): boolean {
  return call.name === response.name && (call.id === undefined || response.id === undefined)
}
