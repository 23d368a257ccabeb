import { describe, expect, it } from 'vitest'
import { endpointModes, isRefusal } from './endpoint-modes.ts'
import type { Mode } from './provider.ts'

const modes: Record<string, Mode> = {
  best: { search: 'ours', reveal: 'messages', needs: ['tool_reference'], next: 'plain' },
  plain: { search: 'ours', reveal: 'text', needs: [] },
}

describe('endpointModes', () => {
  it('goes one mode down when the endpoint refuses what the mode needs, and remembers it', () => {
    const here = endpointModes(modes, 'best', 'one')
    expect(here.lower({ status: 400, message: "Input tag 'tool_reference' does not match" })).toBe(
      'plain',
    )
    expect(here.current()).toBe('plain')
    expect(endpointModes(modes, 'best', 'one').current()).toBe('plain')
    expect(endpointModes(modes, 'best', 'two').current()).toBe('best')
  })

  it('has nothing below the last mode', () => {
    expect(
      endpointModes(modes, 'plain', 'three').lower({ message: 'unknown tool_reference' }),
    ).toBe(undefined)
  })
})

function invalid(message: string, error_code?: string): object {
  const error = { type: 'invalid_request_error', message, details: { error_code } }
  return { status: 400, message: `400 ${JSON.stringify({ error })}`, error: { error } }
}

describe('isRefusal', () => {
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
  ])('knows %j', (error) => {
    expect(isRefusal(error, ['defer_loading'])).toBe(true)
  })

  it.each([
    [{ status: 400, message: "Tool reference 'x' not found in available tools (defer_loading)" }],
    // what a request says, in the words of services that call every refusal invalid
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
  ])('takes %j for something else', (error) => {
    expect(isRefusal(error, ['defer_loading'])).toBe(false)
  })
})
