import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { type AIMessage, SystemMessage, tool } from 'langchain'
import { inProcessServer } from 'toolsearch-checking-server'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { isDeep } from '../../../../../testing/deep.ts'
import { InvalidOptionError } from '../../options/invalid-option-error.ts'
import { createToolSearch, type ToolSearch } from '../../toolsearch.ts'
import {
  addedTool,
  completeHabits,
  conversationTools,
  longConversation,
  prefixBreaks,
} from '../long-conversation.fixtures.ts'
import { asLangChain, models } from './langchain.fixtures.ts'
import { langchainTools } from './langchain-tools.ts'
import { toolSearchNodes } from './tool-search-nodes.ts'

function createGraph(
  toolSearch: ToolSearch,
  model: ReturnType<(typeof models)[number]['model']>,
  checkpointer = new MemorySaver(),
) {
  const { prepare, callTools } = toolSearchNodes(toolSearch)
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async (state, config) => {
      const { system, tools, news } = await prepare(state, config)
      const messages = [new SystemMessage(system), ...state.messages, ...news]
      const reply = await model.bindTools(tools).invoke(messages, config)
      return { messages: [...news, reply] }
    })
    .addNode('tools', callTools)
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) =>
      (messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END,
    )
    .addEdge('tools', 'model')
    .compile({ checkpointer })
}

// npm test runs the other models with createAgent.
it.each(isDeep ? models : models.slice(2))(
  'a hand-written graph survives a long conversation with an identical prefix ($name)',
  async ({ service: createService, model }) => {
    const turns = longConversation(completeHabits)
    const service = createService()
    const replies = turns.flatMap((turn) => [...turn.replies, { text: 'Done.' }])
    const server = inProcessServer({ service, replies })
    const ran: string[] = []
    const toolSearch = createToolSearch({
      tools: langchainTools(conversationTools(ran).map(asLangChain)),
      activation: 'always',
    })
    const graph = createGraph(toolSearch, model(server.url))
    for (const { say, change, runs } of turns) {
      // the added tool does not come from LangChain
      if (change?.add) toolSearch.catalogue.add([addedTool(ran)])
      if (change?.remove) toolSearch.catalogue.remove([change.remove])
      const messages = [{ role: 'user', content: say }]
      await graph.invoke({ messages }, { configurable: { thread_id: 'a' } })
      expect(ran.splice(0), say).toEqual(runs)
    }
    expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
    expect(server.requests).toHaveLength(replies.length)
    expect(prefixBreaks(service, server.requests)).toEqual([])
    await server.close()
  },
)

it('resumes an interrupted tool in another process', async () => {
  const ask = tool(() => `You said ${interrupt('Which one?')}.`, {
    name: 'ask',
    description: 'Asks a person',
    schema: z.object({}),
  })
  const { service, model } = models[0]!
  const server = inProcessServer({
    service: service(),
    replies: [
      completeHabits.search('select:ask'),
      { calls: [completeHabits.call('ask', {})] },
      { text: 'Done.' },
    ],
  })
  const checkpointer = new MemorySaver()
  const createGraphAgain = () => {
    const toolSearch = createToolSearch({ tools: langchainTools([ask]), activation: 'always' })
    return createGraph(toolSearch, model(server.url), checkpointer)
  }
  const config = { configurable: { thread_id: 'a' } }
  await createGraphAgain().invoke({ messages: [{ role: 'user', content: 'Ask' }] }, config)
  const resumed = new Command({ resume: 'the red one' })
  const { messages } = await createGraphAgain().invoke(resumed as never, config)
  await server.close()
  expect(messages.at(-2)!.content).toBe('You said the red one.')
})

it('reports calls to callbacks, and errors of tools to the model', async () => {
  const broken = tool((): string => Promise.reject(new Error('No stamps left')) as never, {
    name: 'send_letter',
    description: 'Sends a letter',
    schema: z.object({}),
  })
  const input = { name: 'send_letter', arguments: {} }
  const reply = { calls: [{ name: 'call_tool', arguments: input }] }
  const { service, model } = models[0]!
  const server = inProcessServer({ service: service(), replies: [reply, reply] })
  const toolSearch = createToolSearch({ tools: langchainTools([broken]), activation: 'always' })
  const started: unknown[] = []
  const { messages } = await createGraph(toolSearch, model(server.url)).invoke(
    { messages: [{ role: 'user', content: 'Write' }] },
    {
      configurable: { thread_id: 'a' },
      callbacks: [{ handleToolStart: (...args) => void started.push(args[6]) }],
    },
  )
  await server.close()
  expect(started).toEqual(['call_tool', 'send_letter', 'call_tool'])
  expect(messages.at(-2)).toMatchObject({ content: 'No stamps left', status: 'error' })
})

it('asks for a thread if nothing identifies the conversation', async () => {
  const { prepare } = toolSearchNodes(createToolSearch({ tools: [{ name: 'a' }] }))
  const error = await prepare({ messages: [{ type: 'human' }] }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(InvalidOptionError)
  expect(error.message).toBe(
    'configurable.thread_id is undefined; pass one in the config of the run, or keep the messages ' +
      'in MessagesAnnotation, which gives them ids',
  )
  const config = { configurable: { thread_id: 'a' } }
  expect(await prepare({ messages: [{ type: 'human' }] }, config)).toHaveProperty('tools')
})

it('tells the model that a tool without an execute function cannot run', async () => {
  const { callTools } = toolSearchNodes(
    createToolSearch({ tools: [{ name: 'a' }], activation: 'always' }),
  )
  const call = { id: '1', name: 'call_tool', args: { name: 'a', arguments: {} } }
  const search = { id: '0', name: 'tool_search', args: { query: 'select:a' } }
  const config = { configurable: { thread_id: 'a' } }
  await callTools({ messages: [{ type: 'ai', tool_calls: [search] }] }, config)
  const { messages } = await callTools({ messages: [{ type: 'ai', tool_calls: [call] }] }, config)
  expect(messages).toEqual([
    expect.objectContaining({
      content: 'Tool "a" has no execute function, so it cannot run.',
      status: 'error',
    }),
  ])
})
