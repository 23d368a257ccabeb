import { freezePreset, type Preset } from '../../session/preset.ts'
import { browse } from '../../tool-search/finders/blank-query.ts'
import { byWords } from '../../tool-search/finders/by-words.ts'
import { limitFrom, withOptionalQuery } from '../../tool-search/read-arguments.ts'
import { jsonAnswer, type ResultFormat, usedIn } from '../../tool-search/search-answer.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { EVERY_MATCH } from '../every-match.ts'
import { rustQueryReader } from '../rust-query.ts'
import { termCountRanker } from './term-count-ranker.ts'
import { weightedTermsRanker } from './weighted-terms-ranker.ts'

const note: Preset['announcement']['text'] = (_list, searchToolName) =>
  'The names and descriptions of your tools are shown, but most of their parameters are hidden. ' +
  `Before you call such a tool, call ${searchToolName} with a short query to get its parameters: ` +
  'the name of the tool, or a few words such as {"query": "read file"}. ' +
  'Frequently used tools keep their parameters.'

/**
 * everruns' original `tool_search`: from 15 tools on, a stub that accepts any arguments replaces
 * each schema and says how to get the real one. A search counts how many words of the
 * query a tool contains and returns the schemas. Nothing is loaded.
 *
 * Set another threshold with `activation: { toolCount: 30, of: 'all' }`. See docs/presets.md.
 */
export const everruns: Preset = freezePreset({
  preset: 'everruns',
  searchTool: searchTool({
    name: 'tool_search',
    description:
      'Get the full parameters of the tools that match a query. Use it before you call a tool whose ' +
      'parameters are hidden.',
    query:
      'The name of the tool, or a few words from its name or description ("read file", "send email").',
    title: 'Tool Search',
    annotations: { readOnlyHint: true, idempotentHint: true },
    metadata: {
      id: 'tool_search',
      description: 'Hides the parameters of tools until a search asks for them.',
      category: 'Optimization',
      status: 'available',
    },
  }),
  activation: { toolCount: 15, of: 'all' },
  deferral: { mcp: 'deferred', others: 'deferred' },
  ranker: termCountRanker,
  readArguments: withOptionalQuery(limitFrom()),
  readQuery: rustQueryReader('strip'),
  finders: [browse, byWords({ requiredIn: 'name', eager: 'count', ties: 'catalogue' })],
  selection: { ...EVERY_MATCH, defaultLimit: 12, maxLimit: 12 },
  announcement: {
    style: 'none',
    placement: 'live',
    text: note,
    stubs: {
      note: (tool, searchToolName) =>
        `The parameters of this tool are hidden. Before you call it, call ${searchToolName} with ` +
        `${JSON.stringify({ query: tool.name })} to get its full schema.`,
    },
  },
  loading: 'none',
  result: usedIn('schemas', everrunsResult({ listsLoaded: false })),
  unloadedCalls: 'allow',
})

/**
 * A later version of everruns: matches in names weigh more than matches in descriptions, a search
 * returns at most eight hits that score close to the best one, and tools found by a search keep
 * their schema for the rest of the session. See docs/presets.md.
 */
export const everrunsLatest: Preset = freezePreset({
  ...everruns,
  preset: 'everruns-latest',
  ranker: weightedTermsRanker,
  selection: { ...everruns.selection, defaultLimit: 8, maxLimit: 8, band: 0.5 },
  announcement: { style: 'none', placement: 'live', text: note, stubs: {} },
  loading: 'sticky',
  result: usedIn('schemas', everrunsResult({ listsLoaded: true })),
})

const MAX_NAMES = 200

function everrunsResult({ listsLoaded }: { listsLoaded: boolean }): ResultFormat {
  return ({ query: text, hits, problem }, { visible }) => {
    if (problem) return jsonAnswer({ error: problem.message }, { isError: true })
    const query = text.trim()
    const tools = hits.map(({ tool }) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.inputSchema,
    }))
    if (tools.length === 0) {
      const names = visible().map((tool) => tool.name)
      return jsonAnswer({
        query,
        tools,
        message: noHitMessage(names.length),
        available_tools: names.slice(0, MAX_NAMES),
      })
    }
    if (!listsLoaded) return jsonAnswer({ query, tools })
    const loaded = tools.map((tool) => tool.name)
    const message = 'The parameters of these tools are available now. You can call the tools.'
    return jsonAnswer({ query, tools, loaded, message })
  }
}

function noHitMessage(available: number): string {
  const message =
    'No tools match. Search again with other words, or with a name from available_tools.'
  if (available <= MAX_NAMES) return message
  return `${message} It lists the first ${MAX_NAMES} of ${available} names.`
}
