import type { JsonObject } from '../protocol/json-object.ts'
import { isObject } from '../protocol/json-object.ts'
import { failure } from './call-failure.ts'
import type { CallOptions } from './gateway-view.ts'
import { type CallResult, longDataAsText } from './large-results.ts'
import type { CallContext } from './meta-tools/meta-tool.ts'
import { readerOf } from './result-reader.ts'

/** Returns the result of a server's tool as the caller gets it: complete, or its first part. */
export type PresentResult = (
  server: string,
  result: JsonObject,
  options: CallOptions,
  isDirect: boolean,
) => CallResult | Promise<CallResult>

export function createPresentResult({
  shared,
  listing,
  results,
  config,
}: Pick<CallContext, 'shared' | 'listing' | 'results' | 'config'>): PresentResult {
  return (server, result, options, isDirect) => {
    if (!hasReadableContent(result)) {
      return failure(`${server} returned an invalid result: "content" is not a list of blocks.`)
    }
    options.onResult?.(server, result)
    // Nobody could read the rest: clients that call tools directly may not see `read_result`.
    if (isDirect && !listing.isSearching) return result
    // A script reads all of it, and the model what the script returns.
    if (options.script) return result
    const { resultChars } = shared.settings(server)?.limits ?? config().limits
    const readable = isDirect ? result : longDataAsText(result, resultChars)
    return results.truncate(readable, resultChars, readerOf(options))
  }
}

function hasReadableContent({ content }: JsonObject): boolean {
  return content === undefined || (Array.isArray(content) && content.every(isObject))
}
