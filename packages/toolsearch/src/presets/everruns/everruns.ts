import { freezePreset, type Preset } from '../../session/preset.ts'
import { jsonAnswer, type ResultFormat } from '../../tool-search/search-answer.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { termCountRanker } from './term-count-ranker.ts'
import { weightedTermsRanker } from './weighted-terms-ranker.ts'

const note: Preset['announcement']['text'] = (_list, searchToolName) =>
  'The names and descriptions of your tools are shown, but most of their parameters are hidden. ' +
  `Before you call such a tool, call ${searchToolName} with a short query to get its parameters. ` +
  'Frequently used tools keep their parameters.'

/**
 * everruns' original `tool_search`: from 15 tools on, a stub that accepts any arguments replaces
 * each schema and says how to get the real one. A search counts how many words of the
 * query a tool contains and returns the schemas. Nothing is loaded.
 *
 * Deliberate differences from everruns:
 * - invalid arguments are answered with the schema
 * - below the threshold there is no search tool and no note
 * - a tool with `loading: 'deferred'` is deferred even below the threshold
 * - a search without hits lists at most 200 names
 */
export const everruns: Preset = freezePreset({
  preset: 'everruns',
  searchTool: searchTool({
    name: 'tool_search',
    description: 'Get the full parameters of the tools that match a query.',
    query: 'Words from the name or description of the tool you need.',
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
  result: everrunsResult({ listsLoaded: false }),
  unloadedCalls: 'allow',
})

/**
 * A later version of everruns: matches in names weigh more than matches in descriptions, a search returns at
 * most eight hits that score close to the best one, and tools found by a search keep their schema
 * for the rest of the session.
 */
export const everrunsLatest: Preset = freezePreset({
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
  result: everrunsResult({ listsLoaded: true }),
})

const MAX_NAMES = 200

function everrunsResult({ listsLoaded }: { listsLoaded: boolean }): ResultFormat {
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
        message: 'No tools match. These tools are available.',
        available_tools: visible()
          .slice(0, MAX_NAMES)
          .map((tool) => tool.name),
      })
    }
    if (!listsLoaded) return jsonAnswer({ query, tools })
    const loaded = tools.map((tool) => tool.name)
    const message = 'The parameters of these tools are available now.'
    return jsonAnswer({ query, tools, loaded, message })
  }
}
