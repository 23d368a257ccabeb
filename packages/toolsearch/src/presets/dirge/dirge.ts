import type { Preset } from '../../session/preset.ts'
import { compactSignature } from '../../tool-search/compact-signature.ts'
import { jsonAnswer, type ResultFormat } from '../../tool-search/search-answer.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { bigramRanker } from './bigram-ranker.ts'

/**
 * dirge's `tool_search`: the model sees three tools and one line of advice; every search loads its
 * results for the rest of the session. Similar spelling is enough to be found.
 *
 * Its opt-in is `activation`: pass `'never'` to switch it off. dirge later kept its file tools
 * always on as well: add yours to `deferral.alwaysOn`.
 *
 * On purpose unlike dirge: loaded tools are sent last, so that the request's beginning stays; the
 * note does not claim that something was loaded when nothing was; arguments are checked; a tool that
 * is called unloaded is loaded by it.
 */
export const dirge: Preset = {
  preset: 'dirge',
  searchTool: searchTool({
    name: 'tool_search',
    description: 'Searches all tools and loads the matches for your next turn.',
    query: 'What you want to do, in a few words.',
    limit: {
      name: 'top_k',
      description: 'Results to load, 8 if left out, 20 at most.',
      maximum: 20,
    },
  }),
  activation: 'always',
  deferral: {
    alwaysOn: ['tool_search', 'task_status', 'write_todo_list'],
    mcp: 'deferred',
    others: 'deferred',
  },
  ranker: bigramRanker,
  syntax: {
    select: false,
    required: false,
    punctuation: 'keep',
    exactName: false,
    namePrefix: 'never',
    requiredScope: 'name',
    blank: 'error',
    badQuery: 'error',
  },
  selection: {
    defaultLimit: 8,
    minLimit: 1,
    maxLimit: 20,
    limitArguments: ['top_k'],
    badLimit: 'error',
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
    text: (_list, searchToolName) =>
      `Most tools are not shown: call ${searchToolName} to find and load what you need.`,
  },
  loading: 'sticky',
  result: dirgeResult(),
  unloadedCalls: 'allow',
}

function dirgeResult(): ResultFormat {
  return ({ query, hits, problem }) => {
    if (problem) return jsonAnswer({ error: problem.message }, { isError: true })
    const results = hits.map(({ tool }) => ({
      name: tool.name,
      description: tool.description,
      parameter_summary: compactSignature(tool.inputSchema),
    }))
    const note =
      results.length > 0
        ? 'These tools are loaded: call them from your next turn on.'
        : 'Nothing matches. Try other words.'
    return jsonAnswer({ query, results, note }, { indent: 2 })
  }
}
