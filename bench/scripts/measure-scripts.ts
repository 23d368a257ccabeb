import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type OpenGateway, openGateway } from '../../packages/gateway/src/open-gateway.ts'
import { progress } from '../bench-command.ts'
import { type ConversationCost, createConversation } from './conversation.ts'
import { ONE_CALL } from './one-call.ts'
import { SEVERAL_CALLS } from './several-calls.ts'
import { type PathOf, pathIn, type Task } from './task.ts'
import { createTaskFiles } from './task-files.ts'

/** A result above this is large, in tokens. */
export const LARGE_RESULT = 1_000

export interface ScriptsReport {
  readonly date: string
  readonly tools: number
  /** Tokens of the tools that run scripts, as models read them. */
  readonly listTokens: number
  readonly severalCalls: readonly MeasuredTask[]
  readonly oneCall: readonly MeasuredTask[]
}

/** How an agent works: without scripts, always with a script, or with a script where it pays off. */
export type Way = 'direct' | 'script' | 'mixed'

export type MeasuredTask = { readonly name: string } & Readonly<Record<Way, ConversationCost>>

const TASKS = [...SEVERAL_CALLS, ...ONE_CALL]

export async function measureScripts(): Promise<ScriptsReport> {
  const direct = await measure('direct', () => false)
  const script = await measure('script', () => true)
  const needsScript = (at: number) => {
    const { calls, largestResult } = direct.costs[at]!
    return calls > 1 || largestResult > LARGE_RESULT
  }
  const mixed = await measure('mixed', needsScript)
  const measured = TASKS.map(({ name }, at) => ({
    name,
    direct: direct.costs[at]!,
    script: script.costs[at]!,
    mixed: mixed.costs[at]!,
  }))
  return {
    date: new Date().toISOString(),
    tools: direct.tools,
    listTokens: script.listTokens - direct.listTokens,
    severalCalls: measured.slice(0, SEVERAL_CALLS.length),
    oneCall: measured.slice(SEVERAL_CALLS.length),
  }
}

/** Runs all tasks in order, with files and servers of their own. */
async function measure(
  way: Way,
  usesScript: (task: number) => boolean,
): Promise<{
  readonly tools: number
  readonly listTokens: number
  readonly costs: readonly ConversationCost[]
}> {
  // The file server compares resolved paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolsearch-bench-')))
  createTaskFiles(folder)
  const gateway = await openGateway(
    {
      mcpServers: servers(folder),
      toolsearch: { scripts: way !== 'direct', limits: { connectMs: 60_000 } },
    },
    { cacheFolder: false, stateFolder: false },
  )
  try {
    await gateway.ready()
    const listTokens = createConversation(gateway).cost.context
    const costs: ConversationCost[] = []
    for (const [at, task] of TASKS.entries()) {
      progress(`${way}: ${task.name}`)
      costs.push(await solve(gateway, task, { path: pathIn(folder), isScript: usesScript(at) }))
    }
    const tools = gateway.servers().reduce((sum, server) => sum + server.tools, 0)
    return { tools, listTokens, costs }
  } finally {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function solve(
  gateway: OpenGateway,
  task: Task,
  { path, isScript }: { readonly path: PathOf; readonly isScript: boolean },
): Promise<ConversationCost> {
  const conversation = createConversation(gateway)
  const queries = task.query.split('; ')
  const args = queries.length === 1 ? { query: task.query } : { queries }
  const [found] = await conversation.turn({ name: 'tool_search', arguments: args })
  for (const tool of task.needs) {
    if (!found!.includes(`"${tool}"`)) throw new Error(`The search does not find ${tool}: ${found}`)
  }
  const answer = isScript
    ? await runScript(task, conversation, path)
    : await task.direct(conversation.turn, path)
  if (asText(answer) !== asText(task.answer)) {
    throw new Error(`${task.name}: ${JSON.stringify(answer)} is not the answer.`)
  }
  if (task.isDone?.(path) === false)
    throw new Error(`${task.name}: the files are not as they should be.`)
  return conversation.cost
}

async function runScript(
  { effect, script }: Task,
  { turn }: ReturnType<typeof createConversation>,
  path: PathOf,
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
