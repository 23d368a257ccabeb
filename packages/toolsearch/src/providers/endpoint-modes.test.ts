import { describe, expect, it } from 'vitest'
import { endpointModes } from './endpoint-modes.ts'
import type { Mode } from './provider.ts'

const modes: Record<string, Mode> = {
  best: {
    search: 'own',
    reveal: 'reference',
    requires: ['defer_loading'],
    fallback: 'plain',
  },
  plain: { search: 'own', reveal: 'call-tool', requires: [] },
}

describe('endpointModes', () => {
  it('falls back if the endpoint rejects a required field, and remembers it', () => {
    const first = endpointModes(modes, 'best', 'one')
    const error = { status: 400, message: "Input tag 'defer_loading' does not match" }
    expect(first.downgrade(error)).toBe('plain')
    expect(first.current()).toBe('plain')
    expect(endpointModes(modes, 'best', 'one').current()).toBe('plain')
    expect(endpointModes(modes, 'best', 'two').current()).toBe('best')
  })

  it('returns undefined for a mode without a fallback', () => {
    const plain = endpointModes(modes, 'plain', 'three')
    expect(plain.downgrade({ message: 'unknown defer_loading' })).toBe(undefined)
  })
})

function invalid(message: string, error_code?: string): object {
  const error = { type: 'invalid_request_error', message, details: { error_code } }
  return { status: 400, message: `400 ${JSON.stringify({ error })}`, error: { error } }
}

let endpoints = 0
const downgradeOnce = (error: unknown) =>
  endpointModes(modes, 'best', `endpoint ${endpoints++}`).downgrade(error)

describe('downgrade', () => {
  it.each([
    [{ status: 400, message: 'Unknown parameter: tools.defer_loading' }],
    [
      {
        status: 422,
        message: '',
        error: { detail: 'Extra inputs are not permitted: defer_loading' },
      },
    ],
    [
      {
        statusCode: 400,
        responseBody: '{"error":"defer_loading is not supported"}',
        message: 'Bad',
      },
    ],
    ['Unrecognized field defer_loading'],
  ])('falls back after %j', (error) => {
    expect(downgradeOnce(error)).toBe('plain')
  })

  it.each([
    [{ status: 400, message: "Tool reference 'x' not found in available tools (defer_loading)" }],
    // Errors about the content of a request, with the generic error code.
    [invalid('At least one tool must have defer_loading=false. All tools cannot be deferred.')],
    [invalid("Tool 'x' cannot have both defer_loading=true and cache_control set.")],
    [invalid('Could not resolve defer_loading.', 'tool_reference_unresolved')],
    [invalid('Too many with defer_loading.', 'available_tools_limit_exceeded')],
    [invalid("Invalid schema for function 'set_defer_loading': None is not of type 'object'.")],
    [{ status: 401, message: 'invalid key, defer_loading' }],
    [{ status: 429, message: 'unexpected load, defer_loading' }],
    [{ status: 400, message: 'max_tokens is not supported' }],
    [new Error('socket hang up')],
    [undefined],
    [null],
    [7],
  ])('does not fall back after %j', (error) => {
    expect(downgradeOnce(error)).toBeUndefined()
  })
})
