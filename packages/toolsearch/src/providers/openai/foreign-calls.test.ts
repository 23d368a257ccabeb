import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { startConversation } from '../converse.fixtures.ts'
import { expectStableBytes } from '../recorded-requests.fixtures.ts'
import { openai } from './openai.ts'
import { openaiCase } from './openai-case.fixtures.ts'

const custom = { type: 'custom_tool_call', call_id: 'c', name: 'run_sql', input: 'SELECT 1' }
const program = { type: 'program', caller_id: 'p' }
const screenshot = 'data:image/png;base64,AAAA'

const calls = [
  {
    tool: { type: 'custom', name: 'run_sql' },
    call: custom,
    name: 'run_sql',
    arguments: { input: 'SELECT 1' },
    output: 'one row',
    item: { type: 'custom_tool_call_output', call_id: 'c', output: 'one row' },
  },
  {
    tool: { type: 'shell' },
    call: { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } },
    name: 'shell',
    arguments: { commands: ['ls'] },
    output: 'notes.txt',
    item: {
      type: 'shell_call_output',
      call_id: 'c',
      output: [{ stdout: 'notes.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  },
  {
    tool: { type: 'apply_patch' },
    call: {
      type: 'apply_patch_call',
      call_id: 'c',
      operation: { type: 'delete_file', path: 'a' },
    },
    name: 'apply_patch',
    arguments: { type: 'delete_file', path: 'a' },
    output: new Error('no such file'),
    item: {
      type: 'apply_patch_call_output',
      call_id: 'c',
      status: 'failed',
      output: 'no such file',
    },
  },
  {
    tool: { type: 'local_shell' },
    call: { type: 'local_shell_call', call_id: 'c', action: { command: ['ls'] } },
    name: 'local_shell',
    arguments: { command: ['ls'] },
    output: 'notes.txt',
    item: { type: 'local_shell_call_output', id: 'c', output: 'notes.txt' },
  },
  {
    tool: { type: 'computer' },
    call: { type: 'computer_call', call_id: 'c', action: { type: 'screenshot' } },
    name: 'computer',
    arguments: { action: { type: 'screenshot' } },
    output: screenshot,
    item: {
      type: 'computer_call_output',
      call_id: 'c',
      output: { type: 'computer_screenshot', image_url: screenshot },
    },
  },
  {
    tool: { type: 'mcp', server_label: 'crm', server_url: 'https://crm.example' },
    call: { type: 'mcp_approval_request', id: 'c', name: 'delete_all', arguments: '{"sure":true}' },
    name: 'delete_all',
    arguments: { sure: true },
    output: 'too dangerous',
    item: {
      type: 'mcp_approval_response',
      approval_request_id: 'c',
      approve: false,
      reason: 'too dangerous',
    },
  },
]

describe.each(calls)('a call of the type $call.type', ({ tool, call, output, item, ...rest }) => {
  it.each(openaiCase.modes)(
    'is the caller’s work and is answered in its own item (%s)',
    async (mode) => {
      const chat = await startConversation(openaiCase, {
        mode,
        extraTools: [tool],
        run: () => output,
      })
      try {
        for (const streamed of [false, true]) {
          const native = { ...call, ...(call.type.startsWith('mcp') ? {} : { call_id: 'c' }) }
          const id = streamed ? 'streamed' : 'c'
          const renamed = JSON.parse(JSON.stringify(native).replaceAll('"c"', `"${id}"`))
          const step = await chat.turn({ native: [renamed] }, { streamed })
          expect(step.calls).toMatchObject([{ ...rest, id, isForeign: true }])
          expect(step.shouldContinue).toBe(true)
          const answer = JSON.parse(JSON.stringify(item).replaceAll('"c"', `"${id}"`))
          expect(chat.messages.at(-1)).toEqual(answer)
        }
        await chat.turn({ text: 'Done.' })
        expect(chat.accepted()).toHaveLength(3)
        if (openaiCase.stableModes.includes(mode)) expectStableBytes(chat)
      } finally {
        await chat.close()
      }
    },
  )
})

describe('a foreign call of OpenAI', () => {
  it('without an output gets one before the next request', async () => {
    for (const { call, tool } of calls.filter(({ call }) => 'call_id' in call)) {
      const chat = await startConversation(openaiCase, { extraTools: [tool] })
      try {
        chat.messages = [...chat.messages, { id: 'x', ...call }]
        chat.say('Well?')
        await chat.turn({ text: 'Done.' })
        expect(chat.server.requests.map(({ problem }) => problem)).toEqual([undefined])
      } finally {
        await chat.close()
      }
    }
  })

  it('that OpenAI has already run is not the caller’s work', async () => {
    const session = await createToolSearch({ tools: [] }).session('a')
    const step = await openai(session).handle({
      output: [
        { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } },
        { type: 'shell_call_output', call_id: 'c', output: [] },
      ],
    })
    expect(step.calls).toEqual([])
    expect(step.shouldContinue).toBe(false)
  })

  it('tells the model what is wrong if there is no screenshot', async () => {
    const session = await createToolSearch({ tools: [] }).session('a')
    const step = await openai(session).handle({
      output: [{ type: 'computer_call', call_id: 'c', action: { type: 'wait' } }],
    })
    const [, output, note] = step.messages([new Error('the screen is off')])
    expect(output.output).toMatchObject({ type: 'computer_screenshot' })
    expect(note).toEqual({ role: 'developer', content: 'the screen is off' })
  })

  it('approves a call of an MCP server if the output is true', async () => {
    const session = await createToolSearch({ tools: [] }).session('a')
    const step = await openai(session).handle({
      output: [{ type: 'mcp_approval_request', id: 'm', name: 'x', arguments: '{}' }],
    })
    const answer = { type: 'mcp_approval_response', approval_request_id: 'm', approve: true }
    expect(step.messages([true]).at(-1)).toEqual(answer)
    expect(step.messages([{ approve: true }]).at(-1)).toEqual(answer)
  })
})

describe('a call from a program', () => {
  it('gets an output with the same caller, from us and from the caller’s tools', async () => {
    const chat = await startConversation(openaiCase, {
      extraTools: [{ type: 'custom', name: 'run_sql' }, { type: 'programmatic_tool_calling' }],
    })
    try {
      const call = { type: 'function_call', name: 'fly_home', arguments: '{}', caller: program }
      const native = [
        { ...call, call_id: 'a' },
        { ...custom, caller: program },
      ]
      await chat.turn({ native })
      await chat.turn({ text: 'Done.' })
      const outputs = chat.messages.filter((item) =>
        String((item as { type?: string }).type).endsWith('_output'),
      )
      expect(outputs).toMatchObject([{ caller: program }, { caller: program }])
      expect(chat.accepted()).toHaveLength(2)
    } finally {
      await chat.close()
    }
  })
})
