import { resultFor } from '../session/result-for.ts'
import type { Session } from '../session/session.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import type { AnsweredCall, RunnableCall } from '../tool-search/call-result.ts'
import { unwrapCall } from '../tool-search/call-tool.ts'
import { argumentFields } from '../tool-search/parse-arguments.ts'
import { hasOnlyNewHits, isNewHit } from '../tool-search/search-outcome.ts'
import type { ToolCall } from '../tool-search/tool-call.ts'
import { listsCallTool } from './modes.ts'
import type { Mode, ProviderCall, ToolResult } from './provider.ts'
import type { ProviderNames } from './provider-names.ts'

/** A call in a reply: with the result to send, valid and ready to run, or not ours to answer. */
export type HandledCall =
  | { readonly call: ProviderCall; readonly result: ToolResult }
  | { readonly call: ProviderCall; readonly runnable: RunnableCall }
  | { readonly call: ProviderCall; readonly foreign: ForeignCall }

/** A call to a tool that is not in the catalogue: one of `extraTools`, or one of the provider. */
export interface ForeignCall {
  readonly id?: string
  readonly name: string
  /** Not validated. */
  readonly arguments: Record<string, unknown>
  readonly isForeign: true
  /** The call as the provider sent it. */
  readonly native: Readonly<Record<string, unknown>>
}

export interface CallHandlerOptions {
  readonly mode: () => Mode
  readonly names: () => ProviderNames
  /** Returns the definition with the name that requests use for the tool. */
  readonly toProviderText: (tool: ToolText) => ToolText
  /** Whether one of `extraTools` has this name. */
  readonly isExtra: (name: string) => boolean
  /** Whether the last request shows this tool only in a notice. */
  readonly isDescribed: (name: string) => boolean
}

/** Returns a function that answers the calls in a reply, as far as they need no tool to run. */
export function createCallHandler(
  session: Session,
  { mode, names, toProviderText, isExtra, isDescribed }: CallHandlerOptions,
): (calls: readonly ProviderCall[]) => Promise<readonly HandledCall[]> {
  return async (calls) => {
    const { reveal } = mode()
    const result = resultFor(session, reveal)
    const foreign = new Map(calls.map((call) => [call, toForeignCall(call)]))
    const own = calls.filter((call) => foreign.get(call) === undefined)
    const results = await session.answer(own.map(toToolCall), {
      ...(result && { result }),
      loadsCalled: reveal === 'list',
    })
    const remaining = [...results]
    return calls.map((call) => {
      const foreignCall = foreign.get(call)
      if (foreignCall) return { call, foreign: foreignCall }
      const handled = remaining.shift()!
      if (handled.kind === 'run') return { call, runnable: handled }
      return { call, result: toToolResult(call, handled, result !== undefined) }
    })
  }

  function toForeignCall(call: ProviderCall): ForeignCall | undefined {
    // Models sometimes call every tool through `call_tool`.
    const { id, name, arguments: input, native } = listsCallTool(mode()) ? unwrapCall(call) : call
    if (!call.isForeign && !isExtra(name)) return undefined
    const fields = argumentFields(input)
    return { ...(id !== undefined && { id }), name, arguments: fields, isForeign: true, native }
  }

  function toToolCall(call: ProviderCall): ToolCall {
    const { fromProvider, inputFromProvider } = names()
    const id = call.id !== undefined && { id: call.id }
    const { name: searchToolName } = session.searchTool
    // with deferral off, a tool of yours can have this name
    const isSearch = call.name === searchToolName && session.tool(searchToolName) === undefined
    if (call.isSearch || isSearch) {
      return { ...id, name: searchToolName, arguments: inputFromProvider(call.arguments) }
    }
    // A model can also imitate earlier calls in a mode without the bridge. No other tool has this name.
    const { name, arguments: input } = unwrapCall(call)
    return { ...id, name: fromProvider(name), arguments: input }
  }

  /** `isOurs`: the definitions say what our format says, but not what a format of the caller does. */
  function toToolResult(call: ProviderCall, answered: AnsweredCall, isOurs: boolean): ToolResult {
    const { isError, outcome } = answered
    const text = names().textToProvider(answered.text)
    return {
      call,
      text,
      parts: [{ type: 'text', text }],
      isError,
      reveals: revealedBy(answered, isDescribed).map((tool) => toProviderText(toolText(tool))),
      isTextRedundant: isOurs && outcome !== undefined && hasOnlyNewHits(outcome),
    }
  }
}

/**
 * The tools that an answer loads. Tools loaded earlier are already in the messages or in the list,
 * unless a notice only describes them.
 */
function revealedBy(
  { reason, tool, outcome }: AnsweredCall,
  isDescribed: (name: string) => boolean,
): readonly ToolText[] {
  if (reason === 'not-loaded') return tool ? [tool] : []
  return (outcome?.hits ?? [])
    .filter((hit) => isNewHit(hit) || isDescribed(hit.tool.name))
    .map((hit) => hit.tool)
}
