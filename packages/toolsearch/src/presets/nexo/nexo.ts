import type { Preset } from '../../session/preset.ts'
import { jsonAnswer, type ResultFormat } from '../../tool-search/search-answer.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { nexoRanker } from './nexo-ranker.ts'

/**
 * nexo's `ToolSearch`: a list of deferred tools in the system prompt, points that add up over name,
 * hint and description, and results that carry the full schema. Nothing is loaded: a model calls a
 * tool from the schema it read.
 *
 * On purpose unlike nexo: `select:` in any case, a cap on it, wrong arguments answered with the
 * schema, a number written as text read as one, an MCP tool known by its source and not by its name alone, and a list that is sorted.
 */
export const nexo: Preset = {
  preset: 'nexo',
  searchTool: searchTool({
    name: 'ToolSearch',
    description:
      'Looks up deferred tools and returns their full parameters. Use the result to call a tool ' +
      'that the list of deferred tools only names.',
    query:
      '"select:A,B" for exact names, or words to rank by; "+word" must occur in the name, ' +
      'description or hint.',
    limit: { name: 'max_results', description: 'Results to return, 5 if left out.', maximum: 25 },
  }),
  activation: 'always',
  deferral: { mcp: 'deferred', others: 'eager' },
  ranker: nexoRanker,
  syntax: {
    select: true,
    required: true,
    punctuation: 'keep',
    exactName: false,
    namePrefix: 'never',
    requiredScope: 'name+description+hint',
    blank: 'error',
    badQuery: 'error',
  },
  selection: {
    defaultLimit: 5,
    minLimit: 1,
    maxLimit: 25,
    limitArguments: ['max_results'],
    badLimit: 'default',
    ties: 'name',
    searched: 'deferrable',
    placesForAlwaysOn: true,
    band: 0,
    abstains: false,
    selectCap: 100,
  },
  announcement: {
    style: 'lines',
    placement: 'live',
    lineLength: 120,
    budget: Number.POSITIVE_INFINITY,
    text: (list) => `<deferred-tools>\n${list}\n</deferred-tools>`,
  },
  loading: 'none',
  result: nexoResult(),
  unloadedCalls: 'allow',
  rateLimit: { calls: 5, windowMs: 60_000 },
}

function nexoResult(): ResultFormat {
  return ({ query, form, hits, missing, deferrable, problem }) => {
    if (problem) return jsonAnswer({ error: problem.message }, { isError: true })
    return jsonAnswer({
      query,
      query_kind: form === 'select' ? 'select' : 'keyword',
      total_deferred_tools: deferrable,
      matches: hits.map(({ tool, score }) => ({
        name: tool.name,
        ...(score !== undefined && { score }),
        description: tool.description,
        parameters: tool.inputSchema,
      })),
      ...(form === 'select' && { missing: missing.map(({ name }) => name) }),
    })
  }
}
