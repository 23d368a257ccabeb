import { type Effect, effectOf } from '../access/effect.ts'
import { failure } from './call-failure.ts'
import type { CallOptions } from './gateway-view.ts'
import type { CallResult } from './large-results.ts'
import type { CallContext, ToolCall } from './meta-tools/meta-tool.ts'
import { META_TOOLS } from './meta-tools/meta-tools.ts'
import { nextScriptTool } from './meta-tools/script-tools.ts'
import { toolWrittenAs } from './tool-written-as.ts'

const ORDER: readonly Effect[] = ['read', 'write', 'destructive']

const DOES: Readonly<Record<Effect, string>> = {
  read: 'reads data',
  write: 'changes data',
  destructive: 'may delete or overwrite data',
}

/** Answers a call that a script makes. Scripts call the tools of servers only. */
export async function answerScript(
  call: ToolCall,
  options: CallOptions,
  context: CallContext,
): Promise<CallResult> {
  const { shared, tools, config, awaitServer, runTool, reportHidden } = context
  const { name } = call
  await shared.addAccepted()
  if (!tools.origin(name)) {
    if (META_TOOLS.has(name)) return failure(`Scripts cannot call ${name}. Call it yourself.`)
    reportHidden(toolWrittenAs(name, tools.knownNames()), options)
    const unavailable = await awaitServer(name, options.signal)
    if (unavailable !== undefined) return failure(unavailable)
  }
  const tool = tools.get(name)
  const effect = tool && effectOf(tool)
  if (effect && ORDER.indexOf(effect) > ORDER.indexOf(options.script!.effect)) {
    return failure(`"${name}" ${DOES[effect]}: ${nextScriptTool(effect, config())}.`)
  }
  return runTool(call, options, false)
}
