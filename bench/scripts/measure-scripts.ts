import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type OpenGateway, openGateway } from '../../packages/gateway/src/open-gateway.ts'
import { progress } from '../bench-command.ts'
import { type ConversationCost, createConversation } from './conversation.ts'
import { createTaskFiles } from './task-files.ts'
import { pathIn, TASKS, type Task } from './tasks.ts'

export interface ScriptsReport {
  readonly date: string
  readonly tools: number
  readonly tasks: readonly MeasuredTask[]
}

interface MeasuredTask {
  readonly name: string
  readonly direct: ConversationCost
  readonly script: ConversationCost
}

export async function measureScripts(): Promise<ScriptsReport> {
  const direct = await measure(false)
  const script = await measure(true)
  return {
    date: new Date().toISOString(),
    tools: direct.tools,
    tasks: TASKS.map(({ name }, at) => ({
      name,
      direct: direct.costs[at]!,
      script: script.costs[at]!,
    })),
  }
}

/** Runs all tasks in order, with files and servers of their own. */
async function measure(
  scripts: boolean,
): Promise<{ readonly tools: number; readonly costs: readonly ConversationCost[] }> {
  // The file server compares resolved paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolsearch-bench-')))
  createTaskFiles(folder)
  const gateway = await openGateway(
    {
      mcpServers: servers(folder),
      toolsearch: { ...(scripts && { scripts }), limits: { connectMs: 60_000 } },
    },
    { cacheFolder: false, stateFolder: false },
  )
  try {
    await gateway.ready()
    const costs: ConversationCost[] = []
    for (const task of TASKS) {
      progress(`${scripts ? 'script' : 'direct'}: ${task.name}`)
      costs.push(await solve(gateway, task, { folder, scripts }))
    }
    const tools = gateway.servers().reduce((sum, server) => sum + server.tools, 0)
    return { tools, costs }
  } finally {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function solve(
  gateway: OpenGateway,
  task: Task,
  { folder, scripts }: { readonly folder: string; readonly scripts: boolean },
): Promise<ConversationCost> {
  const conversation = createConversation(gateway)
  const path = pathIn(folder)
  const queries = task.query.split('; ')
  const args = queries.length === 1 ? { query: task.query } : { queries }
  const [found] = await conversation.turn({ name: 'tool_search', arguments: args })
  for (const tool of task.needs) {
    if (!found!.includes(`"${tool}"`)) throw new Error(`The search does not find ${tool}: ${found}`)
  }
  const answer = scripts
    ? await runScript(task, conversation, path)
    : await task.direct(conversation.turn, path)
  if (asText(answer) !== asText(task.answer)) {
    throw new Error(`${task.name}: ${JSON.stringify(answer)} is not the answer.`)
  }
  return conversation.cost
}

async function runScript(
  { effect, script }: Task,
  { turn }: ReturnType<typeof createConversation>,
  path: (name: string) => string,
): Promise<string> {
  const name = `run_${effect ?? 'read'}_script`
  const [text] = await turn({ name, arguments: { script: script(path) } })
  return text!
}

/** A script returns a string as it is, and everything else as JSON. */
function asText(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}

function servers(
  folder: string,
): Record<string, { command: string; args: string[]; env?: Record<string, string> }> {
  const { resolve } = createRequire(import.meta.url)
  const reference = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [
      join(dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist/index.js'),
      ...args,
    ],
  })
  return {
    everything: reference('everything'),
    files: reference('filesystem', folder),
    memory: { ...reference('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
  }
}
