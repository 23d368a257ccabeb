import { acceptedName } from '../../catalogue/safe-name.ts'
import { isObject } from '../../is-object.ts'
import type { PlacedNotice } from '../../stores/session-record.ts'
import { CALL_TOOL_NAME, unwrapCall } from '../../tool-search/call-tool.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import { partsOf, resultsIn, withNotices } from './sdk-messages.ts'
import type { SdkMode } from './sdk-mode.ts'
import type {
  SdkCallPart,
  SdkMessage,
  SdkReplyPart,
  SdkRequestTool,
  SdkResultPart,
} from './sdk-shapes.ts'
import type { StepPlan } from './step-plan.ts'
import type { Wire } from './wire-model.ts'

export interface CreateWireOptions {
  readonly mode: SdkMode
  readonly plan: StepPlan
  readonly notices: readonly PlacedNotice[]
  readonly searchToolName: string
  /** Names of the provider tools. They are always part of the request, and we don't check their calls. */
  readonly provided: readonly string[]
  /** The tool that the service knows by a name. */
  readonly fromProvider: (name: string) => string
  /** Called with each deferred tool of a request, as the SDK defines it. */
  readonly onDeferred: (tool: SdkRequestTool) => void
  /** Answers a call if it must not run. Then the SDK gets it as a call to `call_tool`. */
  readonly answer: (call: WireCall) => Promise<boolean>
}

/** A call of the model by the name of the tool. */
export interface WireCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/**
 * The SDK knows every tool by its name: it runs, approves and streams them as usual. A call that
 * cannot run is a call to `call_tool` for the SDK, with the answer as its output. The service gets
 * the tools of the plan. In bridge mode, it also gets every call to another tool as a call to
 * `call_tool`; in the other modes, it never gets `call_tool`.
 */
export function createWire({
  mode,
  plan,
  notices,
  searchToolName,
  provided,
  fromProvider,
  onDeferred,
  answer,
}: CreateWireOptions): Wire {
  const foreign = new Set([searchToolName, ...provided])
  const { listed, deferred } = plan
  const hasCallTool = listed.has(CALL_TOOL_NAME)

  return {
    request({ prompt, tools = [], toolChoice, ...request }) {
      const { removed = [], call, result } = mode.reconcile?.(resultsIn(prompt), plan) ?? {}
      const names = new Map<string, string>()
      const messages = withNotices(prompt, notices).map((message) =>
        mapParts(message, (part) => {
          if (part.type === 'tool-call' && !part.providerExecuted) {
            const named = callForService(part)
            names.set(part.toolCallId, named.toolName)
            return renamed(call?.(named) ?? named)
          }
          const toolName = names.get(part.toolCallId)
          if (part.type !== 'tool-result' || toolName === undefined) return part
          const named = toolName === part.toolName ? part : { ...part, toolName }
          return renamed(result?.(named) ?? named)
        }),
      )
      const list = [...toolsForService(tools), ...removed]
      return {
        ...request,
        prompt: messages,
        ...(list.length > 0 && {
          tools: list.map((tool) => ({ ...tool, name: rename(tool.name) })),
        }),
        ...(toolChoice && { toolChoice: renamed(toolChoice) }),
      }
    },

    async call(part) {
      const { toolCallId: id = '', input } = part
      const toolName = fromProvider(part.toolName ?? '')
      if (foreign.has(toolName)) return { ...part, toolName }
      const wrapped = { name: toolName, arguments: input as unknown }
      const { name, arguments: given = {} } = unwrapCall(wrapped)
      if (!(await answer({ id, name, arguments: given }))) return withInput(part, name, given)
      // the model can only see its mistake in what it sent
      const sent = parseArguments(input)
      const isWrapped = toolName === CALL_TOOL_NAME && isObject(sent)
      return withInput(part, CALL_TOOL_NAME, isWrapped ? sent : { name, arguments: sent })
    },

    // the name of the tool is in the input of `call_tool`
    calledTool: (toolName) => (toolName === CALL_TOOL_NAME ? undefined : fromProvider(toolName)),
  }

  /** The SDK itself translates the names of provider tools. */
  function rename(name: string): string {
    return provided.includes(name) ? name : acceptedName(name)
  }

  function renamed<NAMED extends { readonly toolName?: string }>(named: NAMED): NAMED {
    const { toolName } = named
    return toolName === undefined ? named : { ...named, toolName: rename(toolName) }
  }

  function callForService(part: SdkCallPart): SdkCallPart {
    const { toolName, input } = part
    if (toolName === CALL_TOOL_NAME) {
      if (hasCallTool) return part
      const { name, arguments: given } = unwrapCall({ name: toolName, arguments: input })
      return name === '' ? part : { ...part, toolName: name, input: isObject(given) ? given : {} }
    }
    if (!hasCallTool || listed.has(toolName) || foreign.has(toolName)) return part
    return { ...part, toolName: CALL_TOOL_NAME, input: { name: toolName, arguments: input } }
  }

  /** The tools of the request in order. */
  function toolsForService(tools: readonly SdkRequestTool[]): readonly SdkRequestTool[] {
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    const named = (names: Iterable<string>) => [...names].flatMap((name) => byName.get(name) ?? [])
    const shown = [...named(provided), ...named(listed)]
    const { asDeferred } = mode
    if (asDeferred === undefined) return shown
    const hidden = named(deferred)
    for (const tool of hidden) onDeferred(tool)
    return [...shown, ...hidden.map((tool) => asDeferred(tool))]
  }
}

function withInput(part: SdkReplyPart, toolName: string, input: unknown): SdkReplyPart {
  return { ...part, toolName, input: typeof input === 'string' ? input : JSON.stringify(input) }
}

function mapParts(
  message: SdkMessage,
  map: (part: SdkCallPart | SdkResultPart) => SdkCallPart | SdkResultPart,
): SdkMessage {
  if (message.role !== 'assistant' && message.role !== 'tool') return message
  if (!Array.isArray(message.content)) return message
  return { ...message, content: partsOf<SdkCallPart>(message).map(map) }
}
