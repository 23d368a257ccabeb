import { describe, expect, it } from 'vitest'
import { startConversation } from '../converse.fixtures.ts'
import { chatCase } from './openai-compatible.fixtures.ts'
import { deepseek, lmStudio, minimax, ollama, openRouter, vllm } from './openai-compatible.ts'
import { endpoint, messagesWithCalls, misplacedSystemError } from './option-sets.fixtures.ts'

type Fields = Record<string, unknown>

const REASONING = 'The user wants the tool. The user knows.'
const DETAILS = [{ type: 'reasoning.text', index: 0, text: REASONING }]
const PIECES = ['The user wants', ' the tool.', ' The user knows.']

/** @see https://api-docs.deepseek.com/guides/thinking_mode */
const deepseekEndpoint = endpoint({
  rejects: (body) => {
    if (body.tool_choice !== undefined) return 'Thinking mode does not support this tool_choice'
    if (messagesWithCalls(body).every((message) => message.reasoning_content === REASONING))
      return undefined
    return 'The reasoning_content in the thinking mode must be passed back to the API.'
  },
  message: (message) => ({ ...message, reasoning_content: REASONING }),
  chunks: (deltas) => [...PIECES.map((reasoning_content) => ({ reasoning_content })), ...deltas],
})

/** @see https://platform.minimax.io/docs/api-reference/text-openai-api */
const minimaxEndpoint = endpoint({
  rejects: (body) => {
    if (body.tool_choice !== undefined) return "unknown parameter 'tool_choice'"
    const isComplete = messagesWithCalls(body).every(
      ({ reasoning_details: details }) => JSON.stringify(details) === JSON.stringify(DETAILS),
    )
    return isComplete ? misplacedSystemError(body) : 'The reasoning chain is broken.'
  },
  message: (message) => ({ ...message, reasoning_details: DETAILS }),
  chunks(deltas) {
    let content = ''
    return [
      ...PIECES.map((_, at) => ({
        reasoning_details: [{ ...DETAILS[0], text: PIECES.slice(0, at + 1).join('') }],
      })),
      ...deltas.map((delta) => {
        if (typeof delta.content !== 'string') return delta
        content += delta.content
        return { ...delta, content }
      }),
    ]
  },
})

/** @see https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks */
const openRouterEndpoint = endpoint({
  rejects: (body) =>
    messagesWithCalls(body).every(
      ({ reasoning_details: details }) => JSON.stringify(details) === JSON.stringify(DETAILS),
    )
      ? undefined
      : 'The reasoning blocks have changed.',
  message: (message) => ({ ...message, reasoning: REASONING, reasoning_details: DETAILS }),
  chunks: (deltas) => [
    ...PIECES.map((text) => ({ reasoning: text, reasoning_details: [{ ...DETAILS[0], text }] })),
    ...deltas,
  ],
})

/**
 * @see https://github.com/ollama/ollama/issues/15457
 * @see https://github.com/continuedev/continue/pull/13235
 */
const ollamaEndpoint = endpoint({
  message: (message) => ({ ...message, ...withoutIds(message) }),
  chunks(deltas) {
    const pieces = deltas.flatMap((delta) => (delta.tool_calls as Fields[] | undefined) ?? [])
    const names = pieces.flatMap((piece) => (piece.function as Fields).name ?? [])
    const calls = names.map((name, at) => {
      const args = pieces
        .filter((piece) => piece.index === at)
        .map((piece) => (piece.function as Fields).arguments)
      return { index: 0, id: '', function: { name, arguments: args.join('') } }
    })
    const others = deltas.filter((delta) => delta.tool_calls === undefined)
    return [...others, ...calls.map((call) => ({ tool_calls: [call] }))]
  },
})

function withoutIds({ tool_calls: calls }: Fields): Fields {
  if (!Array.isArray(calls)) return {}
  return { tool_calls: calls.map((call: Fields) => ({ function: call.function, id: '' })) }
}

/** @see https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670 */
const lmStudioEndpoint = endpoint({
  rejects: ({ tool_choice: choice }) =>
    typeof choice === 'object'
      ? "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
      : undefined,
})

/** @see https://github.com/vllm-project/vllm/issues/41114 */
const vllmEndpoint = endpoint({ rejects: misplacedSystemError })

const NAMED = { type: 'function', function: { name: 'contract_measure' } }

describe.each([
  { name: 'minimax', set: minimax, at: minimaxEndpoint, choice: undefined },
  { name: 'deepseek', set: deepseek, at: deepseekEndpoint, choice: undefined },
  { name: 'ollama', set: ollama, at: ollamaEndpoint, choice: undefined },
  { name: 'vllm', set: vllm, at: vllmEndpoint, choice: NAMED },
  { name: 'lmStudio', set: lmStudio, at: lmStudioEndpoint, choice: 'required' },
  { name: 'openRouter', set: openRouter, at: openRouterEndpoint, choice: NAMED },
])('option set $name', ({ name, set, at, choice }) => {
  it.each(['complete', 'streamed'])('works with its endpoint, with %s replies', async (form) => {
    const streamed = form === 'streamed'
    const chat = await startConversation(chatCase(name, set, at))
    const approve = (subject: string) => ({ name: 'invoice_approve', arguments: { subject } })
    const search = { name: 'tool_search', arguments: { query: 'approve invoice', max_results: 1 } }
    await chat.turn({ text: 'I look.', calls: [search] }, { streamed })
    await chat.turn(chat.calling(approve('one'), approve('two')), { streamed })
    await chat.turn({ text: 'Both are approved.' }, { streamed })
    expect(chat.messages.at(-1)).toMatchObject({ content: 'Both are approved.' })
    chat.say('Measure the contract.')
    const forced = { calls: [{ name: 'contract_measure', arguments: { subject: 'three' } }] }
    await chat.turn(forced, { streamed, toolChoice: 'contract_measure' })
    await chat.turn({ text: 'Done.' }, { streamed })
    const problems = chat.server.requests.flatMap(({ problem }) => problem ?? [])
    expect(problems).toEqual([])
    expect(chat.ran.map((run) => run.arguments)).toEqual([
      { subject: 'one' },
      { subject: 'two' },
      { subject: 'three' },
    ])
    const { tools, tool_choice } = chat.server.requests.at(-2)!.body as Fields
    expect(tool_choice).toEqual(choice)
    // An endpoint that cannot force a tool by name gets a list with only this tool.
    const names = (tools as (typeof NAMED)[]).map((tool) => tool.function.name)
    expect(names).toContain('contract_measure')
    expect(names.length === 1).toBe(choice !== NAMED)
    await chat.close()
  })
})
