import { answerScript } from './answer-script.ts'
import { createAwaitServer } from './await-server.ts'
import { failure } from './call-failure.ts'
import type { CallOptions, GatewayView } from './gateway-view.ts'
import type { CallResult } from './large-results.ts'
import type { CallContext, ToolCall } from './meta-tools/meta-tool.ts'
import { META_TOOLS } from './meta-tools/meta-tools.ts'
import { searchIn } from './meta-tools/tool-search.ts'
import { callTarget, createRunTool, type RunToolOptions } from './run-tool.ts'

export interface CallAnswers extends Pick<GatewayView, 'searchIn'> {
  /** Answers a call of a meta tool or of a server's tool. Rejects if the request to a server does. */
  answer(call: ToolCall, options: CallOptions): Promise<CallResult>
}

/** Answers the calls of one view. What its callers may not use does not exist here. */
export function answerCalls(options: RunToolOptions): CallAnswers {
  const { shared, tools, servers } = options
  const awaitServer = createAwaitServer(shared, tools, servers)
  const runTool = createRunTool(options)
  const context: CallContext = { ...options, awaitServer, runTool, reportHidden }
  return {
    searchIn: (session, args, searchOptions) => searchIn(context, session, args, searchOptions),
    async answer(call, callOptions) {
      const { name } = call
      if (callOptions.script) return answerScript(call, callOptions, context)
      if (tools.origin(name)) return runTool(call, callOptions, true)
      const metaTool = META_TOOLS.get(name)
      if (metaTool) return metaTool.answer(call, callOptions, context)
      reportHidden(name, callOptions)
      const unavailable = await awaitServer(name, callOptions.signal)
      return unavailable === undefined ? runTool(call, callOptions, true) : failure(unavailable)
    },
  }

  function reportHidden(name: string, { onDecision }: CallOptions): void {
    const hidden = onDecision && tools.decide(name)
    if (hidden && !hidden.decision.isAllowed) onDecision(callTarget(hidden.origin), hidden.decision)
  }
}
