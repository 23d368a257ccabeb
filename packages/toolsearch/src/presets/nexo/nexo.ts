import { queryReader } from '../../query/parse-query.ts'
import { freezePreset, type Preset } from '../../session/preset.ts'
import { rejectBlank } from '../../tool-search/finders/blank-query.ts'
import { bySelect } from '../../tool-search/finders/by-select.ts'
import { byWords } from '../../tool-search/finders/by-words.ts'
import { limitFrom } from '../../tool-search/read-arguments.ts'
import { jsonAnswer, type ResultFormat, usedIn } from '../../tool-search/search-answer.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { EVERY_MATCH } from '../every-match.ts'
import { nexoRanker } from './nexo-ranker.ts'

/**
 * nexo's `ToolSearch`: defers only tools with `loading: 'deferred'`, lists them in the system prompt,
 * and answers a search with full schemas and scores. Found tools are part of every later request.
 *
 * `deferral: { mcp: 'deferred' }` also defers the tools of MCP servers. See docs/presets.md.
 */
export const nexo: Preset = freezePreset({
  preset: 'nexo',
  searchTool: searchTool({
    name: 'ToolSearch',
    description:
      'Look up tools from the list of deferred tools. Returns their full parameters and adds them ' +
      'to your tool list, so that you can call them.',
    query:
      'Keywords ("slack send"), or "select:A,B,C" for exact names. "+word" must occur in the ' +
      'name, description or hint ("+slack send").',
    limit: {
      name: 'max_results',
      description: 'Maximum number of results. Default: 5, maximum: 25. Does not apply to select.',
      maximum: 25,
    },
  }),
  activation: 'always',
  deferral: { mcp: 'eager', others: 'eager' },
  ranker: nexoRanker,
  readArguments: limitFrom('max_results'),
  readQuery: queryReader({ punctuation: 'keep' }),
  finders: [
    bySelect(),
    rejectBlank,
    byWords({ requiredIn: 'name+description+hint', eager: 'skip', ties: 'name' }),
  ],
  selection: { ...EVERY_MATCH, defaultLimit: 5, maxLimit: 25 },
  announcement: {
    style: 'lines',
    placement: 'live',
    budget: Number.POSITIVE_INFINITY,
    text: (list) => list && `<deferred-tools>\n${list}\n</deferred-tools>`,
  },
  loading: 'sticky',
  result: usedIn('schemas', nexoResult()),
  reveal: 'list',
  unloadedCalls: 'allow',
})

function nexoResult(): ResultFormat {
  return ({ query: text, form, hits, missing, deferrable, problem }) => {
    if (problem) return jsonAnswer({ error: problem.message }, { isError: true })
    return jsonAnswer({
      query: text.trim(),
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
