import { isObject } from '../is-object.ts'
import type { Session } from '../session/session.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'
import { unwrapCall } from '../tool-search/call-tool.ts'
import { parseArguments } from '../tool-search/parse-arguments.ts'
import { resultFormat } from '../tool-search/result-format.ts'
import type { SearchOutcome } from '../tool-search/search-outcome.ts'
import type { CallResult, Mode, ProviderCall } from './provider.ts'
import type { ProviderNames } from './provider-names.ts'

export interface StepCall {
  readonly id?: string
  readonly name: string
  readonly arguments: Record<string, unknown>
}

/** A text, or anything that is to be sent as JSON. An `Error` is told to the model as one. */
export type CallOutput = unknown

/** Answers the calls of a reply that are not the program's to run. */
export interface CallAnswers {
  isSearch(call: ProviderCall): boolean
  /** A call with the names and arguments that the program's tools have. */
  toStepCall(call: ProviderCall): StepCall
  /** What to answer in place of running a call; undefined if it may run. */
  answer(call: ProviderCall): Promise<CallResult | undefined>
}

export interface CallAnswersOptions {
  readonly mode: () => Mode
  readonly names: () => ProviderNames
  /** A tool as requests and results have it. */
  readonly asSent: (tool: ToolText) => ToolText
}

export function createCallAnswers(
  session: Session,
  { mode, names, asSent }: CallAnswersOptions,
): CallAnswers {
  return {
    isSearch,
    toStepCall,
    answer: (call) => (isSearch(call) ? search(call) : check(call)),
  }

  function isSearch(call: ProviderCall): boolean {
    return call.isSearch === true || call.name === session.searchTool.name
  }

  function toStepCall(call: ProviderCall): StepCall {
    const isBridged = mode().bridge === true
    const { id, name, arguments: given } = isBridged ? unwrapCall(call) : call
    return {
      ...(id !== undefined && { id }),
      name: names().fromProvider(name),
      arguments: parseArguments(given) as Record<string, unknown>,
    }
  }

  async function search(call: ProviderCall): Promise<CallResult> {
    const { textToProvider, textFromWire } = names()
    const { reveal } = mode()
    const { outcome, answer } = await session.search(
      mapQuery(call.arguments, textFromWire),
      FORMATS[reveal],
    )
    // what was loaded before is either in the messages or in the list
    const reveals = outcome.hits
      .filter(({ status }) => status === 'loaded' || status === 'found')
      .map(({ tool }) => asSent(tool))
    return {
      call,
      text: textToProvider(answer.text),
      isError: answer.isError,
      reveals,
      isPlain: isPlain(outcome),
    }
  }

  async function check(call: ProviderCall): Promise<CallResult | undefined> {
    const answer = await session.answer(toStepCall(call))
    if (answer === undefined) return undefined
    const { textToProvider } = names()
    const { unloadedTool } = answer
    return {
      call,
      text: textToProvider(answer.text),
      isError: answer.isError,
      reveals: unloadedTool ? [asSent(unloadedTool)] : [],
      isPlain: false,
    }
  }
}

/** How much a search result says, by where the schemas are. */
const FORMATS: Record<Mode['reveal'], ReturnType<typeof resultFormat> | undefined> = {
  list: undefined,
  messages: resultFormat({ detail: 'names' }),
  text: resultFormat({ detail: 'schemas', again: true }),
}

function isPlain({ hits, missing, capped, notReady, repeats, problem }: SearchOutcome): boolean {
  return (
    hits.length > 0 &&
    hits.every(({ status }) => status === 'loaded' || status === 'found') &&
    missing.length + capped + notReady.length + repeats === 0 &&
    problem === undefined
  )
}

function mapQuery(given: unknown, map: (text: string) => string): unknown {
  if (typeof given === 'string') return map(given)
  if (!isObject(given) || typeof given.query !== 'string') return given
  return { ...given, query: map(given.query) }
}

/** What the program's own run of a call has given. */
export function outputOf(call: ProviderCall, output: CallOutput): CallResult {
  const isError = output instanceof Error
  const text = isError
    ? output.message
    : typeof output === 'string'
      ? output
      : (JSON.stringify(output) ?? '')
  return { call, text, isError, reveals: [], isPlain: false }
}
