import { resultFormat } from '../../tool-search/result-format.ts'
import { jsonAnswer, type ResultFormat } from '../../tool-search/search-answer.ts'

const fallback = resultFormat()
const namesOnly = resultFormat({ detail: 'names' })

/**
 * A search result as `tool_reference` blocks, which the API expands to the full definitions. A text
 * block precedes them if the query asked for tools that are missing or left out,
 * or found skills. Falls back to the
 * default format when there is nothing to refer to.
 */
export const referenceFormat: ResultFormat = (outcome, context) => {
  // A reference to a tool that is not deferred makes the API reject the whole request.
  const deferred = outcome.hits.filter(({ status }) => status !== 'always-on' && status !== 'skill')
  if (outcome.problem || deferred.length === 0) return fallback(outcome, context)
  const hasSkills = outcome.hits.some(({ status }) => status === 'skill')
  const isComplete = outcome.missing.length + outcome.omitted.count === 0 && !hasSkills
  const text = isComplete ? [] : [{ type: 'text', text: namesOnly(outcome, context).text }]
  const references = deferred.map(({ tool }) => ({ type: 'tool_reference', tool_name: tool.name }))
  return jsonAnswer([...text, ...references])
}
