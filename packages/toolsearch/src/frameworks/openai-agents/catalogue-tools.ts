import type { Bridge, BridgeAnswer } from '../../bridge/bridge.ts'
import { acceptedName } from '../../catalogue/safe-name.ts'
import type { Tool } from '../../catalogue/tool.ts'
import { deleteOldest } from '../../delete-oldest.ts'
import { type ToolText, toolText } from '../../tokens/tool-tokens.ts'
import type { RunnableCall } from '../../tool-search/call-result.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import { originalOf } from './agent-tools.ts'
import type { AgentTool, CallDetails } from './sdk-shapes.ts'
import { toSdkOutput } from './to-sdk-output.ts'

/** What the Responses API and chat endpoints accept. */
const ACCEPTED_NAME = /^[\w-]{1,64}$/
/** More than any reply has. An aborted run leaves its calls behind. */
const MAX_CHECKED_CALLS = 256

/** Creates tools of the SDK that run tools of the catalogue. */
export interface CatalogueTools {
  /** A tool that calls this tool by its name. */
  direct(tool: Tool): AgentTool
  /** A tool whose input names the tool to call. */
  callTool(): AgentTool
}

export function createCatalogueTools(
  bridge: Bridge,
  asksPerson: (call: RunnableCall) => boolean | Promise<boolean> = () => false,
): CatalogueTools {
  /** Calls that the SDK is about to run. They were checked when it asked for an approval. */
  const checkedCalls = new Map<string, BridgeAnswer | RunnableCall>()
  /** The agent of a run. The SDK passes it only when it asks whether a tool is enabled. */
  const agents = new WeakMap<object, unknown>()

  return {
    direct(tool) {
      const { name } = tool
      return (
        originalOf(tool) ??
        createTool(toolText(tool), (input) => bridge.check({ name, arguments: input }))
      )
    },
    callTool: () => createTool(bridge.callTool, bridge.check),
  }

  function createTool(
    { name, description, inputSchema }: ToolText,
    checkInput: (input: unknown) => Promise<BridgeAnswer | RunnableCall>,
  ): AgentTool {
    async function check(input: unknown, runContext: object) {
      const checked = await checkInput(input)
      if (checked.kind !== 'run' || (await isEnabled(checked.tool, runContext))) return checked
      return bridge.answer(new Error(`"${checked.tool.name}" is not available now.`))
    }
    return {
      type: 'function',
      name: acceptedName(name, ACCEPTED_NAME),
      description,
      parameters: inputSchema,
      strict: false,
      async isEnabled(runContext, agent) {
        agents.set(runContext, agent)
        return true
      },
      async needsApproval(runContext, input, callId) {
        const checked = await check(input, runContext)
        const waits = checked.kind === 'run' && (await needsApproval(checked, runContext, callId))
        // a call that waits is checked again, because its tool can be removed until it is approved
        if (!waits) checkedCalls.set(keyOf(callId, input), checked)
        deleteOldest(checkedCalls, MAX_CHECKED_CALLS)
        return waits
      },
      async invoke(runContext, input, details: CallDetails = {}) {
        const key = keyOf(details.toolCall?.callId, parseArguments(input))
        const checked = checkedCalls.get(key) ?? (await check(input, runContext))
        checkedCalls.delete(key)
        return checked.kind === 'run'
          ? run(checked, runContext, details)
          : toSdkOutput(checked.parts)
      },
    }
  }

  async function isEnabled(tool: Tool, runContext: object): Promise<boolean> {
    return originalOf(tool)?.isEnabled(runContext, agents.get(runContext)) ?? true
  }

  async function needsApproval(call: RunnableCall, runContext: unknown, callId?: string) {
    const original = originalOf(call.tool)
    const asks = (await original?.needsApproval(runContext, call.arguments, callId)) ?? false
    return asks || (await asksPerson(call))
  }

  async function run(call: RunnableCall, runContext: unknown, details: CallDetails) {
    const { toolCall, resumeState, signal } = details
    const original = originalOf(call.tool)
    if (original) {
      // not all of the details: they would tell the tool that its timeout is already enforced
      const output = await original.invoke(runContext, JSON.stringify(call.arguments), {
        toolCall,
        resumeState,
        ...(signal && { signal }),
      })
      // the SDK understands the content objects that its own tools return
      return typeof output === 'string' ? toSdkOutput(bridge.answer(output).parts) : output
    }
    const callId = toolCall?.callId
    const { parts } = await bridge.execute(call, {
      ...(signal && { signal }),
      ...(callId !== undefined && { callId }),
    })
    return toSdkOutput(parts)
  }
}

/** Some providers use the same id again, so the id alone does not identify a call. */
function keyOf(callId: string | undefined, input: unknown): string {
  return `${callId} ${JSON.stringify(input)}`
}
