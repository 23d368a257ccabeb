import { freezePreset, type Preset } from '../../session/preset.ts'
import { jsonAnswer, type ResultFormat } from '../../tool-search/search-answer.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { nexoRanker } from './nexo-ranker.ts'

/**
 * nexo's `ToolSearch`: a list of deferred tools in the system prompt, scores that add up over name,
 * hint and description, and results with full schemas. Nothing is loaded: the model calls a tool
 * based on the schema in the search result.
 *
 * Deliberate differences from nexo:
 * - `select:` is case-insensitive and limited to 100 names
 * - invalid arguments are answered with the schema
 * - a limit sent as a string is accepted
 * - MCP tools are recognised by their source, not only by their name
 * - the list is sorted
 */
export const nexo: Preset = freezePreset({
  preset: 'nexo',
  searchTool: searchTool({
    name: 'ToolSearch',
    description:
      'Look up deferred tools and get their full parameters. Use the result to call a tool from ' +
      'the list of deferred tools.',
    query:
      '"select:A,B" for exact names, or keywords. "+word" must occur in the name, description or ' +
      'hint.',
    limit: {
      name: 'max_results',
      description: 'Maximum number of results. Default: 5.',
      maximum: 25,
    },
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
})

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
