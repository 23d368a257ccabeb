import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, describe, expect, it } from 'vitest'
import type { GatewayConfig } from '../../config/gateway-config.ts'
import { readConfig } from '../../config/read-config.ts'
import { LOCAL_PERSON, personId } from '../../identity/person.ts'
import type { JsonObject } from '../../protocol/json-object.ts'
import type { RequestOptions } from '../../protocol/request-options.ts'
import { NO_APPROVAL_STORE } from '../approvals/approval-store.ts'
import { createApprovals } from '../approvals/approvals.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { CallOptions } from '../gateway-view.ts'
import { gatewayConfig, serverConfig, upstreamSet } from '../upstream-set.fixtures.ts'

const read = { readOnlyHint: true }
const write = { readOnlyHint: false, destructiveHint: false }
const tool = (name: string, annotations: object = {}, properties: object = {}) => ({
  name,
  description: `Handles ${name}`,
  inputSchema: { type: 'object', properties },
  annotations,
})
const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

const ISSUES = [
  { number: 1, title: 'Crash', labels: ['bug'] },
  { number: 2, title: 'Idea', labels: [] },
]

async function answer(params: JsonObject, _: string, options: RequestOptions): Promise<JsonObject> {
  const { name, arguments: args } = params as { name: string; arguments: JsonObject }
  if (name === 'list-issues') return { structuredContent: { issues: ISSUES }, content: [] }
  if (name === 'get_issue') {
    const issue = ISSUES.find(({ number }) => number === args.number)
    return issue ? text(JSON.stringify(issue)) : { ...text('no such issue'), isError: true }
  }
  if (name === 'big') return text('x'.repeat(5_000))
  if (name === 'hang') return new Promise(() => {})
  if (name === 'ask') {
    const answered = await options.onServerRequest?.(
      'elicitation/create',
      { message: 'Sure?' },
      new AbortController().signal,
    )
    return text(`answered ${answered?.action}`)
  }
  if (name === 'ask_modern') {
    if (params.inputResponses)
      return text(JSON.stringify([params.inputResponses, params.requestState]))
    const question = { method: 'elicitation/create', params: { message: 'Sure?' } }
    return { resultType: 'input_required', inputRequests: { q: question }, requestState: 's' }
  }
  return text(`done ${name}`)
}

const TOOLS = [
  {
    ...tool('list-issues', read),
    outputSchema: { type: 'object', properties: { issues: { type: 'array' } } },
  },
  tool('get_issue', read, { number: { type: 'integer' } }),
  {
    ...tool('report', read, { year: { type: 'integer' } }),
    outputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 100 }, (_, at) => [`field${at}`, { type: 'string' }]),
      ),
    },
  },
  tool('big', read),
  tool('hang', read),
  tool('ask', read),
  tool('ask_modern', read),
  tool('comment', write),
  tool('delete'),
]

const settings = readConfig('{"mcpServers":{"a":{"command":"a"}},"toolsearch":{"scripts":true}}', {
  file: 'toolsearch.json',
  env: {},
})
const { scripts } = 'config' in settings ? settings.config : {}

const opened: Gateway[] = []
afterAll(() => {
  for (const gateway of opened.splice(0)) gateway.close()
})

/** Most tests use the same gateway, because each starts threads of its own. */
const usual = openWith({})

function open() {
  usual.set.calls.length = 0
  return usual
}

function openWith(more: Partial<GatewayConfig>) {
  const set = upstreamSet({ github: { tools: TOOLS, answer } })
  const config = gatewayConfig([serverConfig('github')], { scripts: scripts!, ...more })
  const gateway = createGateway(config, set)
  opened.push(gateway)
  const run = async (script: string, name = 'run_read_script', options: CallOptions = {}) => {
    const { content, isError } = await gateway.callTool({ name, arguments: { script } }, options)
    return { text: String(content?.[0]?.text), isError }
  }
  return { set, gateway, run }
}

describe('scripts', () => {
  it('call tools and return only what they return', async () => {
    const { run, set } = open()
    const { text, isError } = await run(`
      const { issues } = await tools.github__list_issues()
      const found = await Promise.all(issues.map(({ number }: { number: number }) => tools.github__get_issue({ number })))
      return found.filter((issue) => issue.labels.includes('bug')).map(({ title }) => title)`)
    expect([text, isError]).toEqual(['["Crash"]', undefined])
    expect(set.calls.map(({ params }) => params.name)).toEqual([
      'list-issues',
      'get_issue',
      'get_issue',
    ])
  })

  it('are offered only if they are configured', () => {
    const names = ({ gateway }: ReturnType<typeof openWith>) =>
      gateway
        .listTools()
        .map(({ name }) => name)
        .filter((name) => name.includes('script'))
    expect(names(open())).toEqual(['run_read_script', 'run_write_script', 'run_destructive_script'])
    expect(names(openWith({ callTools: 'one' }))).toEqual(['run_script'])
    const { scripts: _, ...without } = gatewayConfig([])
    expect(names({ ...open(), gateway: createGateway(without, upstreamSet({})) })).toEqual([])
  })

  it('never do more than the annotations of their tool say', async () => {
    const { run, set, gateway } = open()
    const hints = gateway
      .listTools()
      .flatMap(({ name, annotations }) =>
        name.includes('script')
          ? [[name, (annotations as { readOnlyHint?: boolean }).readOnlyHint]]
          : [],
      )
    expect(hints).toEqual([
      ['run_read_script', true],
      ['run_write_script', false],
      ['run_destructive_script', false],
    ])
    const both = 'await tools.github__comment(); await tools.github__delete()'
    expect((await run(both)).text).toContain(
      '"github__comment" changes data: run the script with run_write_script',
    )
    expect(set.calls).toEqual([])
    expect((await run(both, 'run_write_script')).text).toContain(
      '"github__delete" may delete or overwrite data: run the script with run_destructive_script',
    )
    expect((await run(both, 'run_destructive_script')).isError).toBeUndefined()
    // Not listed, so no client knows how to gate it.
    expect((await run(both, 'run_script')).text).toBe('run_script is not available.')
  })

  it('read unless they declare more, with one tool for all', async () => {
    const { gateway, set } = openWith({ callTools: 'one' })
    const script = 'return await tools.github__comment()'
    const run = async (effect?: string) => {
      const result = await gateway.callTool({ name: 'run_script', arguments: { script, effect } })
      return JSON.stringify(result.content)
    }
    expect(await run()).toContain('pass effect \\"write\\" to run_script')
    expect(await run('admin')).toContain('must be read, write or destructive')
    expect(set.calls).toEqual([])
    expect(await run('write')).toContain('done comment')
    const direct = await gateway.callTool({ name: 'run_read_script', arguments: { script } })
    expect(direct.isError).toBe(true)
  })

  it('name the line of a failed call, and what was done before', async () => {
    const { run } = open()
    const { text, isError } = await run(
      'await tools.github__get_issue({ number: 1 })\nconst a = await tools.github__get_issue({ number: 9 })',
    )
    expect(isError).toBe(true)
    expect(text).toBe(
      [
        'ToolError: no such issue',
        'at line 2, column 40:',
        '  const a = await tools.github__get_issue({ number: 9 })',
        '                                         ^',
        '',
        'Calls: done: github__get_issue; failed: github__get_issue.',
      ].join('\n'),
    )
  })

  it.each([
    [
      'await tools.github__get_isue({})',
      'There is no tool named "github__get_isue". Similar names: github__get_issue',
    ],
    ['await tools.tool_search({ query: "x" })', 'Scripts cannot call tool_search'],
    ['await tools.run_destructive_script({ script: "" })', 'Scripts cannot call'],
    ['await tools.call_destructive_tool({ name: "github__delete" })', 'Scripts cannot call'],
    [
      'await tools.github__get_issue({ number: "one" })',
      'The arguments of github__get_issue are invalid: number must be integer. Its parameters are {number?: integer}',
    ],
    ['await tools.nothing_like_it()', 'Find tools with tool_search.'],
  ])('explain %s', async (script, message) => {
    const { run, set } = open()
    const { text, isError } = await run(script)
    expect(isError).toBe(true)
    expect(text).toContain(message)
    expect(set.calls).toEqual([])
  })

  it('must be texts of a limited length', async () => {
    const { gateway } = open()
    const answerTo = async (script: unknown) => {
      const result = await gateway.callTool({ name: 'run_read_script', arguments: { script } })
      return result.content?.[0]?.text
    }
    expect(await answerTo(5)).toContain('"script" must be a string.')
    expect(await answerTo('x'.repeat(50_001))).toContain('more than 50,000 characters')
  })

  it.each(['```ts\n', '\n```typescript \n', '```\n'])(
    'can be in a code block: %j',
    async (fence) => {
      const { run } = open()
      expect((await run(`${fence}return [\`\`].length\n\`\`\`\n`)).text).toBe('1')
      const line = fence.split('\n').length
      expect((await run(`${fence}null.x\n\`\`\``)).text).toContain(`at line ${line}, column`)
    },
  )

  it('get whole results, and return the rest of long ones on request', async () => {
    const { run, gateway } = open()
    const { text } = await run('return (await tools.github__big()).length')
    expect(text).toBe('5000')
    const long = (await run('return await tools.github__big()')).text
    const id = /id "([^"]+)"/.exec(long)?.[1]
    expect(long.length).toBeLessThan(1_300)
    const rest = await gateway.callTool({ name: 'read_result', arguments: { id, offset: 4_500 } })
    expect(rest.content?.[0]?.text).toBe('x'.repeat(500))
  })

  it('log, and say if there is nothing to read', async () => {
    const { run } = open()
    expect((await run('console.log("a", 1); return 2')).text).toBe('Result:\n2\n\nLog:\na 1')
    expect((await run('const a = 1')).text).toContain('returned nothing')
    const { text } = await run('tools.github__big(); return 1')
    expect(text).toMatch(/^1\n\nThe script ended before github__big finished\..*`await main\(\)`/)
  })

  it('pass questions of servers to the client, of both protocols', async () => {
    const { run } = open()
    const onServerRequest = async () => ({ action: 'accept' })
    const script = 'return [await tools.github__ask(), await tools.github__ask_modern()]'
    const { text } = await run(script, 'run_read_script', { onServerRequest })
    expect(JSON.parse(text)).toEqual(['answered accept', [{ q: { action: 'accept' } }, 's']])
    const declined = await run('return await tools.github__ask_modern()')
    expect(JSON.parse(declined.text)).toEqual([{ q: { action: 'decline' } }, 's'])
  })

  it('report progress by call', async () => {
    const { run } = open()
    const messages: unknown[] = []
    const onProgress = ({ progress, message }: JsonObject) => messages.push([progress, message])
    await run('await tools.github__big(); await tools.github__big()', 'run_read_script', {
      onProgress,
    })
    expect(messages).toEqual([
      [1, '1 call done: github__big'],
      [2, '2 calls done: github__big'],
    ])
  })

  it('end with the client that cancels them', async () => {
    const controller = new AbortController()
    const { run, set } = open()
    const running = run('await tools.github__hang()', 'run_read_script', {
      signal: controller.signal,
    })
    await expect.poll(() => set.calls.length).toBe(1)
    controller.abort()
    const { text } = await running
    expect(text).toContain('The script was cancelled.')
    expect(text).toContain('cancelled: github__hang')
  })

  it('are described in search results', async () => {
    const { gateway } = open()
    const found = await gateway.callTool({
      name: 'tool_search',
      arguments: { query: 'list issues' },
    })
    expect(String(found.content?.[0]?.text)).toContain('"returns":"{issues?: any[]}"')
  })

  it('leave room for parameters in search results, whatever a tool returns', async () => {
    const { limits } = gatewayConfig([])
    const { gateway } = openWith({ limits: { ...limits, resultChars: 10_000 } })
    const ask = async (name: string, args: JsonObject) =>
      String((await gateway.callTool({ name, arguments: args })).content?.[0]?.text)
    const { loaded } = JSON.parse(await ask('tool_search', { query: 'select:github__report' }))
    expect(loaded[0].returns).toMatch(/^\{field0\?: string, field1\?: string, .*…$/)
    expect(loaded[0].returns.length).toBe(300)
    expect(loaded[0].arguments).toBe('{year?: integer}')
    const described = JSON.parse(await ask('describe_tools', { names: ['github__report'] }))
    expect(described.tools[0].outputSchema.properties.field99).toEqual({ type: 'string' })
    // The whole schema is there already.
    expect(described.tools[0].returns).toBeUndefined()
  })

  it('are described once, and briefly', () => {
    const tools = (more: Partial<GatewayConfig>) =>
      openWith(more)
        .gateway.listTools()
        .filter(({ name }) => name.includes('script'))
    const essentials = [
      'async TypeScript function body',
      'several calls or large results',
      'only what it returns or logs enters your context',
      'await tools.NAME({ … })',
      '"returns"',
      'parsed JSON or text',
      'throws',
      'No imports, network, files, clock or randomness',
    ]
    const [first, ...others] = tools({})
    for (const words of [...essentials, 'effect "read"'])
      expect(first!.description).toContain(words)
    for (const { description } of others) expect(description).toContain('Like run_read_script')
    const [one] = tools({ callTools: 'one' })
    for (const words of essentials) expect(one!.description).toContain(words)
    // Every request contains them: what models read, without annotations.
    const read = [first!, ...others].map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }))
    expect(encode(JSON.stringify(read)).length).toBeLessThan(210)
  })

  it('cannot call what a person has to approve first', async () => {
    const approvals = await createApprovals(NO_APPROVAL_STORE)
    const [, issue] = TOOLS
    approvals.stateOf('github', { ...issue!, description: 'What it said when it was approved' })
    approvals.block('github', 'big')
    const set = upstreamSet({ github: { tools: TOOLS, answer } })
    const pinned = gatewayConfig([serverConfig('github')], {
      scripts: scripts!,
      approve: 'changed',
    })
    const gateway = createGateway(pinned, set, { approvals })
    opened.push(gateway)
    const run = async () => {
      const script = `
        const problems = []
        for (const name of ['github__get_issue', 'github__big']) {
          try { await tools[name]({}) } catch (error) { problems.push(error.message) }
        }
        return problems`
      const result = await gateway.callTool({ name: 'run_read_script', arguments: { script } })
      return JSON.parse(String(result.content?.[0]?.text)) as string[]
    }
    const [changed, blocked] = await run()
    expect(changed).toContain('toolsearch accept github__get_issue')
    expect(blocked).toContain('github__big')
    expect(set.calls).toEqual([])
    gateway.acceptTool('github__get_issue')
    expect(await run()).toHaveLength(2)
    expect(set.calls.map(({ params }) => params.name)).toEqual(['get_issue'])
  })

  it('leave threads to other people', async () => {
    const { set, gateway } = openWith({})
    const person = (subject: string): CallOptions => ({
      caller: {
        person: { ...LOCAL_PERSON, id: personId('https://idp.example', subject), subject },
      },
    })
    const run = async (script: string, options: CallOptions) => {
      const call = { name: 'run_read_script', arguments: { script } }
      const { content } = await gateway.callTool(call, options)
      return String(content?.[0]?.text)
    }
    const controller = new AbortController()
    const hanging = { ...person('ada'), signal: controller.signal }
    const hung = Array.from({ length: 6 }, () => run('await tools.github__hang()', hanging))
    await expect.poll(() => set.calls.length).toBe(4)
    expect(await run('return 1 + 1', person('bob'))).toBe('2')
    // Everybody at this machine is one person, who needs no share.
    expect(await run('return 1 + 2', {})).toBe('3')
    expect(set.calls.length).toBe(4)
    controller.abort()
    for (const text of await Promise.all(hung)) expect(text).toContain('The script was cancelled.')
    expect(set.calls.length).toBe(4)
  })
})
