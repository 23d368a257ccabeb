import { describe, expect, it } from 'vitest'
import { createToolSearch, type ToolSearchOptions } from '../toolsearch.ts'
import { providers } from './all-providers.fixtures.ts'
import { anthropic } from './anthropic/anthropic.ts'

async function handle(calls: readonly object[], options: ToolSearchOptions) {
  const session = await createToolSearch({ activation: 'never', ...options }).session('a')
  const content = calls.map((call, index) => ({ type: 'tool_use', id: `call_${index}`, ...call }))
  const adapter = anthropic(session)
  await adapter.request({ messages: [] })
  return adapter.handle({ content })
}

const add = {
  name: 'add',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
}

describe('a step', () => {
  it('returns parsed and validated arguments in its calls', async () => {
    const tools = [add, { ...add, name: 'subtract' }]
    const calls = [
      { name: 'add', input: { a: 'x' } },
      { name: 'subtract', input: '{"a":1}' },
    ]
    const step = await handle(calls, { tools })
    expect(step.calls).toEqual([{ id: 'call_1', name: 'subtract', arguments: { a: 1 } }])
  })

  it('renders the results of step.run() in the order of the calls', async () => {
    const execute = ({ a }: Record<string, unknown>) => {
      if (a === 2) throw new Error('two is taken')
      return `ran ${a}`
    }
    const calls = [1, 'x', 2].map((a) => ({ name: 'add', input: { a } }))
    const step = await handle(calls, { tools: [{ ...add, execute }] })
    const [, results] = await step.run()
    expect(results!.content).toMatchObject([
      { tool_use_id: 'call_0', content: [{ text: 'ran 1' }] },
      { tool_use_id: 'call_1', is_error: true },
      { tool_use_id: 'call_2', content: [{ text: 'two is taken' }], is_error: true },
    ])
  })

  it('runs nothing if one of the called tools has no execute', async () => {
    let runs = 0
    const execute = () => ++runs
    const tools = [
      { ...add, execute },
      { ...add, name: 'subtract' },
    ]
    const calls = tools.map(({ name }) => ({ name, input: { a: 1 } }))
    const step = await handle(calls, { tools })
    await expect(step.run()).rejects.toMatchObject({
      code: 'missing_execute',
      message: expect.stringContaining('Tool "subtract" has no execute function'),
    })
    expect(runs).toBe(0)
    expect(step.messages(['one', 'two'])).toHaveLength(2)
  })

  it('rejects more outputs than calls, such as the messages of step.run()', async () => {
    const tools = [{ ...add, execute: () => 1 }]
    const step = await handle([{ name: 'add', input: { a: 1 } }], { tools })
    const messages = await step.run()
    expect(() => step.messages(messages)).toThrow(
      expect.objectContaining({
        name: 'InvalidOptionError',
        message: expect.stringMatching(
          /^messages\(\) got 2 outputs, but step\.calls has 1\..* resolves to messages, not outputs/,
        ),
      }),
    )
    const unawaited = step.run()
    expect(() => step.messages(unawaited as never)).toThrow(
      'outputs is a promise; use an array with one output for each of step.calls',
    )
    await unawaited
  })

  it('passes the signal of step.run() to the tools', async () => {
    const controller = new AbortController()
    const signals: AbortSignal[] = []
    const execute = (_: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      controller.abort(new Error('stopped'))
    }
    const step = await handle([{ name: 'add', input: { a: 1 } }], { tools: [{ ...add, execute }] })
    await expect(step.run({ signal: controller.signal })).rejects.toThrow('stopped')
    expect(signals).toMatchObject([{ aborted: true }])
  })

  it('accepts a signal of another realm', async () => {
    const { signal } = new AbortController()
    const foreign = Object.defineProperties(
      {},
      {
        aborted: { get: () => signal.aborted },
        throwIfAborted: { value: () => signal.throwIfAborted() },
        addEventListener: { value: signal.addEventListener.bind(signal) },
        removeEventListener: { value: signal.removeEventListener.bind(signal) },
      },
    ) as AbortSignal
    const step = await handle([{ name: 'add', input: { a: 1 } }], { tools: [add] })
    await expect(step.run({ signal: foreign, execute: () => 2 })).resolves.toHaveLength(2)
    const noSignal = step.run({ signal: {} as AbortSignal })
    await expect(noSignal).rejects.toThrow('use an AbortSignal')
  })

  it('sends an output that JSON cannot represent as an error', async () => {
    const step = await handle([{ name: 'add', input: { a: 1 } }], { tools: [add] })
    const [, result] = step.messages([{ size: 10n }])
    expect(result!.content).toMatchObject([{ is_error: true }])
    expect(JSON.stringify(result)).toContain('its result cannot be written as JSON')
  })

  it('answers both calls if a reply calls a tool twice before it is loaded', async () => {
    const calls = [
      { name: 'add', input: { a: 1 } },
      { name: 'add', input: { a: 2 } },
    ]
    const step = await handle(calls, { tools: [add], activation: 'always' })
    expect(step.calls).toEqual([])
  })
})

describe.each(providers)('handle() of $name', (provider) => {
  const malformed: unknown[] = [undefined, null, 'text', 7, [], {}, new Error('429')]
  const fields = ['content', 'output', 'choices', 'candidates']
  const values: unknown[] = [null, 'text', 7, {}, [null], ['text'], [7], [[]], [{}]]
  const almost = values.flatMap((value) => fields.map((field) => ({ [field]: value })))
  const inner = [
    { content: [{ type: 'tool_use' }], stop_reason: 'max_tokens' },
    { output: [{ type: 'function_call' }, { type: 'tool_search_call' }] },
    { choices: [{ message: null }] },
    { choices: [{ message: { tool_calls: [null, {}, { function: null }] } }] },
    { candidates: [{ content: null }] },
    { candidates: [{ content: { parts: null } }] },
    { candidates: [{ content: { parts: [{ functionCall: null }] } }] },
  ]

  it('rejects a value that is not a reply with an error of its own, never a TypeError', async () => {
    const session = await createToolSearch().session('a')
    const adapter = provider.adapter(session, { model: provider.model })
    const codes = new Set<unknown>()
    for (const reply of [...malformed, ...almost, ...inner]) {
      const accepted = () => 'accepted'
      codes.add(await adapter.handle(reply).then(accepted, (error) => error.code))
    }
    // Some of them are replies of this provider that are empty.
    expect([...codes].sort()).toEqual(['accepted', 'invalid_reply'])
  })

  it.each(malformed)('says what to pass instead of %s', async (reply) => {
    const session = await createToolSearch().session('a')
    const adapter = provider.adapter(session, { model: provider.model })
    await expect(adapter.handle(reply)).rejects.toMatchObject({
      name: 'InvalidReplyError',
      message: expect.stringMatching(
        /^Not a reply of .+ is not a list\. Pass handle\(\) the object/,
      ),
    })
  })
})
