import type { BridgeAnswer } from '../../bridge/bridge.ts'
import type { LangChainRun, LangChainToolCall } from './langchain-shapes.ts'

/** The part of LangChain's `CallbackManager` that reports the run of a tool. */
interface CallbackManager {
  handleToolStart(
    tool: object,
    input: unknown,
    runId: undefined,
    parentRunId: undefined,
    tags: undefined,
    metadata: undefined,
    runName: string,
    toolCallId: string | undefined,
  ): Promise<ToolRun>
}

interface ToolRun {
  handleToolEnd(output: unknown): Promise<void>
  handleToolError(error: unknown): Promise<void>
}

/** Reports a call to the callbacks of LangChain, as its own tools do. */
export async function reportCall(
  { id, name, args }: LangChainToolCall,
  { callbacks }: LangChainRun,
  work: () => Promise<BridgeAnswer>,
): Promise<BridgeAnswer> {
  const manager = callbacks as Partial<CallbackManager> | undefined
  const tool = { lc: 1, type: 'not_implemented', id: ['toolsearch', name] }
  const none = undefined
  const started = await manager?.handleToolStart?.(tool, args, none, none, none, none, name, id)
  const answer = await work().catch(async (error) => {
    await started?.handleToolError(error)
    throw error
  })
  await started?.handleToolEnd(answer.text)
  return answer
}
