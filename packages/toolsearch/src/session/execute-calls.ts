import { errorText } from '../outputs/output-text.ts'
import { partsText } from '../outputs/parts-text.ts'
import { readOutput } from '../outputs/read-output.ts'
import type {
  CallResult,
  ExecutedCall,
  RunnableCall,
  RunResult,
} from '../tool-search/call-result.ts'

export interface ExecuteCallsOptions {
  readonly sessionId: string
  /** Once aborted, no further call starts. */
  readonly signal: AbortSignal
  /** Must not reject. */
  readonly onExecuted: (result: ExecutedCall, index: number) => Promise<void>
}

/**
 * Executes the calls whose tools have `execute`, in order. Neighbouring calls run at the same time,
 * except that a sequential one runs alone. Other results are returned unchanged.
 */
export async function executeCalls(
  results: readonly CallResult[],
  { sessionId, signal, onExecuted }: ExecuteCallsOptions,
): Promise<RunResult[]> {
  const done: RunResult[] = [...results]
  for (const batch of batchesOf(results)) {
    signal.throwIfAborted()
    await Promise.all(
      batch.map(async (index) => {
        const executed = await executeCall(results[index] as RunnableCall, sessionId, signal)
        done[index] = executed
        await onExecuted(executed, index)
      }),
    )
  }
  return done
}

export function isExecutable(result: CallResult): result is RunnableCall {
  return result.kind === 'run' && result.tool.execute !== undefined
}

/** The indexes of the calls to execute, grouped by what may run at the same time. */
function batchesOf(results: readonly CallResult[]): readonly number[][] {
  const batches: number[][] = [[]]
  for (const [index, result] of results.entries()) {
    if (!isExecutable(result)) continue
    if (result.tool.execution === 'sequential') batches.push([index], [])
    else batches.at(-1)!.push(index)
  }
  return batches.filter((batch) => batch.length > 0)
}

async function executeCall(
  { id, tool, arguments: input }: RunnableCall,
  sessionId: string,
  signal: AbortSignal,
): Promise<ExecutedCall> {
  const call = {
    kind: 'executed',
    ...(id !== undefined && { id }),
    tool,
    arguments: input,
  } as const
  try {
    const context = { signal, sessionId, ...(id !== undefined && { callId: id }) }
    const output = await tool.execute!(input, context)
    const { parts, isError } = readOutput(output)
    return { ...call, output, text: partsText(parts), parts, isError }
  } catch (error) {
    const text = errorText(error)
    return { ...call, output: error, text, parts: [{ type: 'text', text }], isError: true }
  }
}
