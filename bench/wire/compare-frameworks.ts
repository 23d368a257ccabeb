import { createToolSearch } from 'toolsearch'
import { startCheckingServer } from 'toolsearch-checking-server'
import {
  addedTool,
  conversationTools,
  longConversation,
} from '../../packages/toolsearch/src/frameworks/long-conversation.fixtures.ts'
import { type FrameworkRunner, frameworkRunners } from './framework-runners.ts'
import { measurePrompts, type PromptCost } from './measure-prompts.ts'

/** What a conversation through the agent of a framework costs. */
export interface FrameworkCost extends Omit<PromptCost, 'cachedByTurn'> {
  readonly framework: string
  /** Requests that the service rejected. */
  readonly rejected: number
}

/** Runs twenty user turns in every framework, in which the model makes mistakes and tools change. */
export async function compareFrameworks(
  toolCount: number,
  progress: (step: string) => void,
): Promise<FrameworkCost[]> {
  const costs: FrameworkCost[] = []
  for (const runner of frameworkRunners) {
    progress(`${toolCount} tools, ${runner.name}`)
    costs.push(await playFramework(runner, toolCount))
  }
  return costs
}

async function playFramework(
  { name, service: createService, habits, start }: FrameworkRunner,
  toolCount: number,
): Promise<FrameworkCost> {
  const service = createService()
  const turns = longConversation(habits)
  const replies = turns.flatMap((turn) => [...turn.replies, { text: 'Done.' }])
  const server = await startCheckingServer({ service, replies })
  try {
    const ran: string[] = []
    // the conversation itself needs three tools
    const tools = conversationTools(ran, toolCount - 3)
    const toolSearch = createToolSearch({ tools, activation: 'always' })
    const say = await start(server.url, toolSearch)
    for (const { say: text, change } of turns) {
      if (change?.add) toolSearch.catalogue.add(addedTool(ran))
      if (change?.remove) toolSearch.catalogue.remove(change.remove)
      await say(text)
    }
    const accepted = server.requests.filter(({ problem }) => problem === undefined)
    const prompts = accepted.map(({ body }) => service.promptOf(body))
    const { cachedByTurn: _, ...cost } = measurePrompts(prompts)
    return { framework: name, ...cost, rejected: server.requests.length - accepted.length }
  } finally {
    await server.close()
  }
}
