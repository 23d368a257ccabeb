import { resultFormat } from '../../tool-search/result-format.ts'
import { jsonAnswer, type ResultFormat } from '../../tool-search/search-answer.ts'

const fallback = resultFormat()

/**
 * A search result as `tool_reference` blocks, which the API expands to the full definitions. Falls
 * back to the default format when there is nothing to refer to.
 */
export const referenceFormat: ResultFormat = (outcome, context) => {
  // A reference to a tool that is not deferred makes the API reject the whole request.
  const deferred = outcome.hits.filter(({ status }) => status !== 'always-on')
  if (outcome.problem || deferred.length === 0) return fallback(outcome, context)
  return jsonAnswer(deferred.map(({ tool }) => ({ type: 'tool_reference', tool_name: tool.name })))
}
