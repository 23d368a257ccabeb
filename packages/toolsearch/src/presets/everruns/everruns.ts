import type { Preset } from '../../session/preset.ts'
import { jsonAnswer, type ResultFormat } from '../../tool-search/search-answer.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { termCountRanker } from './term-count-ranker.ts'
import { weightedTermsRanker } from './weighted-terms-ranker.ts'

const note: Preset['announcement']['text'] = (_list, searchToolName) =>
  'Names and descriptions of your tools are shown; for most of them the parameters are hidden. ' +
  `Call ${searchToolName} with a short query to get them before you call such a tool. Tools in ` +
  'frequent use keep their parameters.'

/**
 * everruns' `tool_search` as described: from 15 tools on, each schema is replaced by an open stub
 * that says where the real one is; a search counts how many of its words a tool mentions and
 * returns the schemas. Nothing is loaded.
 *
 * On purpose unlike everruns: wrong arguments are answered with the schema, below the threshold there is neither search tool nor note, a tool to
 * be deferred on request is deferred there too, and the list of all names after a search without a
 * hit stops at 200.
 */
export const everruns: Preset = {
  preset: 'everruns',
  searchTool: searchTool({
    name: 'tool_search',
    description: 'Returns the full parameters of the tools that match a query.',
    query: 'Words from the name or the description of the tool you need.',
  }),
  activation: { toolCount: 15, of: 'all' },
  deferral: { mcp: 'deferred', others: 'deferred' },
  ranker: termCountRanker,
  syntax: {
    select: false,
    required: false,
    punctuation: 'strip',
    exactName: false,
    namePrefix: 'never',
    requiredScope: 'name',
    blank: 'browse',
    badQuery: 'blank',
  },
  selection: {
    defaultLimit: 12,
    minLimit: 12,
    maxLimit: 12,
    limitArguments: [],
    badLimit: 'default',
    ties: 'catalogue',
    searched: 'visible',
    placesForAlwaysOn: true,
    band: 0,
    abstains: false,
    selectCap: 0,
  },
  announcement: {
    style: 'none',
    placement: 'live',
    text: note,
    stubs: {
      note: (tool, searchToolName) =>
        `Parameters hidden. Call ${searchToolName} with query "${tool.name}" first.`,
    },
  },
  loading: 'none',
  result: everrunsResult({ tellsLoaded: false }),
  unloadedCalls: 'allow',
}

/**
 * everruns today: a name counts more than a description, only hits near the best are kept, at most
 * eight, and what was found keeps its schema for the rest of the session.
 */
export const everrunsLatest: Preset = {
  ...everruns,
  preset: 'everruns-latest',
  ranker: weightedTermsRanker,
  selection: {
    ...everruns.selection,
    defaultLimit: 8,
    minLimit: 8,
    maxLimit: 8,
    band: 0.5,
  },
  announcement: { style: 'none', placement: 'live', text: note, stubs: {} },
  loading: 'sticky',
  result: everrunsResult({ tellsLoaded: true }),
}

const MAX_NAMES = 200

function everrunsResult({ tellsLoaded }: { tellsLoaded: boolean }): ResultFormat {
  return ({ query, hits, problem }, { visible }) => {
    if (problem) return jsonAnswer({ error: problem.message }, { isError: true })
    const tools = hits.map(({ tool }) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.inputSchema,
    }))
    if (tools.length === 0) {
      return jsonAnswer({
        query,
        tools,
        message: 'No tool matches. These are available.',
        available_tools: visible()
          .slice(0, MAX_NAMES)
          .map((tool) => tool.name),
      })
    }
    if (!tellsLoaded) return jsonAnswer({ query, tools })
    const loaded = tools.map((tool) => tool.name)
    return jsonAnswer({ query, tools, loaded, message: 'These tools have their parameters now.' })
  }
}
