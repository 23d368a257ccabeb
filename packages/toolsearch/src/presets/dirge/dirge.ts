import { freezePreset, type Preset } from '../../session/preset.ts'
import { compactSignature } from '../../tool-search/compact-signature.ts'
import { rejectBlank } from '../../tool-search/finders/blank-query.ts'
import { byWords } from '../../tool-search/finders/by-words.ts'
import { limitFrom, withStrictLimit } from '../../tool-search/read-arguments.ts'
import { jsonAnswer, type ResultFormat, usedIn } from '../../tool-search/search-answer.ts'
import { EVERY_MATCH } from '../every-match.ts'
import { rustQueryReader } from '../rust-query.ts'
import { bigramRanker } from './bigram-ranker.ts'

/**
 * dirge's `tool_search`: the model sees three tools and a one-line note. Every search loads its
 * results for the rest of the session. Matching tolerates misspellings.
 *
 * Add tools that the model always needs to `deferral.alwaysOn`. See docs/presets.md.
 */
export const dirge: Preset = freezePreset({
  preset: 'dirge',
  searchTool: {
    name: 'tool_search',
    description:
      'Search all tools. Their names and descriptions are matched, and a part of a name or a verb is ' +
      'enough. The matches are loaded for your next turn and stay loaded. Tools that you always have ' +
      'need no search.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description:
            'What you want to do, in a few words, such as "read a file" or "web search".',
        },
        top_k: {
          type: 'integer',
          description: 'Number of results to load. Default: 8, maximum: 20.',
        },
      },
      required: ['query'],
    },
  },
  activation: 'always',
  deferral: {
    alwaysOn: ['tool_search', 'task_status', 'write_todo_list'],
    mcp: 'deferred',
    others: 'deferred',
  },
  ranker: bigramRanker,
  readArguments: withStrictLimit('top_k', limitFrom('top_k')),
  readQuery: rustQueryReader('keep'),
  finders: [rejectBlank, byWords({ requiredIn: 'name', eager: 'count', ties: 'catalogue' })],
  selection: { ...EVERY_MATCH, defaultLimit: 8, maxLimit: 20 },
  announcement: {
    style: 'none',
    placement: 'live',
    text: (_list, searchToolName) =>
      `Most tools are not listed. Call ${searchToolName} to find and load the ones you need.`,
  },
  loading: 'sticky',
  result: usedIn('lists', dirgeResult()),
  reveal: 'list',
  unloadedCalls: 'allow',
})

function dirgeResult(): ResultFormat {
  return ({ query, hits, problem }, { searchToolName }) => {
    if (problem) {
      const error = `${searchToolName}: ${problem.message}`
      return { text: error, data: { error }, isError: true }
    }
    const results = hits.map(({ tool }) => ({
      name: tool.name,
      description: tool.description,
      parameter_summary: compactSignature(tool.inputSchema),
    }))
    const note =
      results.length > 0
        ? 'These tools are now loaded. From the next turn on, you have their schemas and can call ' +
          'them by name; they stay loaded for the rest of the session.'
        : 'No tools match. Try different words.'
    return jsonAnswer({ query, results, note }, { indent: 2 })
  }
}
