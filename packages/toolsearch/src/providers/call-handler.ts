import { isObject } from '../is-object.ts'
import type { Session } from '../session/session.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import { unwrapCall } from '../tool-search/call-tool.ts'
import { parseArguments } from '../tool-search/parse-arguments.ts'
import { resultFormat } from '../tool-search/result-format.ts'
import type { SearchOutcome } from '../tool-search/search-outcome.ts'
import type { Mode, ProviderCall, ToolResult } from './provider.ts'
import type { ProviderNames } from './provider-names.ts'

/** A call for your program to run. */
export interface StepCall {
  readonly id?: string
  readonly name: string
  readonly arguments: Record<string, unknown>
}

/** A string, any value to send as JSON, or an `Error` to send as an error result. */
export type CallOutput = unknown

/** Answers the calls in a reply that your program does not have to run. */
export interface CallHandler {
  isSearch(call: ProviderCall): boolean
  /** The call with the tool's own name and parsed arguments. */
  toStepCall(call: ProviderCall): StepCall
  /** The result to send instead of running a call; undefined if your program should run it. */
  answer(call: ProviderCall): Promise<ToolResult | undefined>
}

export interface CallHandlerOptions {
  readonly mode: () => Mode
  readonly names: () => ProviderNames
  /** Returns the definition with the name that requests use for the tool. */
  readonly toProviderText: (tool: ToolText) => ToolText
}

export function createCallHandler(
  session: Session,
  { mode, names, toProviderText }: CallHandlerOptions,
): CallHandler {
  return {
    isSearch,
    toStepCall,
    answer: (call) => (isSearch(call) ? search(call) : check(call)),
  }

  function isSearch(call: ProviderCall): boolean {
    const { name } = session.searchTool
    // with deferral off, a tool of yours can have this name
    return call.isSearch === true || (call.name === name && session.tool(name) === undefined)
  }

  function toStepCall(call: ProviderCall): StepCall {
    const isBridged = mode().bridge === true
    const { id, name, arguments: input } = isBridged ? unwrapCall(call) : call
    return {
      ...(id !== undefined && { id }),
      name: names().fromProvider(name),
      arguments: parseArguments(input) as Record<string, unknown>,
    }
  }

  async function search(call: ProviderCall): Promise<ToolResult> {
    const { textToProvider, textFromProvider } = names()
    const result = RESULT_FORMATS[mode().reveal]
    const { outcome, answer } = await session.search(
      mapQuery(call.arguments, textFromProvider),
      result && { result },
    )
    // Tools loaded earlier are already in the messages or in the list.
    const reveals = outcome.hits
      .filter(({ status }) => status === 'loaded' || status === 'found')
      .map(({ tool }) => toProviderText(toolText(tool)))
    return {
      call,
      text: textToProvider(answer.text),
      isError: answer.isError,
      reveals,
      isTextRedundant: hasOnlyNewHits(outcome),
    }
  }

  async function check(call: ProviderCall): Promise<ToolResult | undefined> {
    const answer = await session.answer(toStepCall(call))
    if (answer === undefined) return undefined
    const { unloadedTool } = answer
    return {
      call,
      text: names().textToProvider(answer.text),
      isError: answer.isError,
      reveals: unloadedTool ? [toProviderText(toolText(unloadedTool))] : [],
      isTextRedundant: false,
    }
  }
}

/** How detailed search results are, depending on where the model gets the schemas. */
const RESULT_FORMATS: Record<Mode['reveal'], ReturnType<typeof resultFormat> | undefined> = {
  list: undefined,
  messages: resultFormat({ detail: 'names' }),
  text: resultFormat({ detail: 'schemas', again: true }),
}

/** Whether the definitions of the hits say everything there is to say about a search. */
function hasOnlyNewHits(outcome: SearchOutcome): boolean {
  const { hits, missing, capped, notReady, repeats, problem } = outcome
  return (
    hits.length > 0 &&
    hits.every(({ status }) => status === 'loaded' || status === 'found') &&
    missing.length + capped + notReady.length + repeats === 0 &&
    problem === undefined
  )
}

function mapQuery(input: unknown, map: (text: string) => string): unknown {
  if (typeof input === 'string') return map(input)
  if (!isObject(input) || typeof input.query !== 'string') return input
  return { ...input, query: map(input.query) }
}

/** The result of a call that your program has run. */
export function resultOf(call: ProviderCall, output: CallOutput): ToolResult {
  const isError = output instanceof Error
  const text = isError
    ? output.message
    : typeof output === 'string'
      ? output
      : (JSON.stringify(output) ?? '')
  return { call, text, isError, reveals: [], isTextRedundant: false }
}
