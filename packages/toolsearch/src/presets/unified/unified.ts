import { queryReader } from '../../query/parse-query.ts'
import { fieldedRanker } from '../../ranking/fielded-ranker.ts'
import { freezePreset, type Preset } from '../../session/preset.ts'
import { rejectBlank } from '../../tool-search/finders/blank-query.ts'
import { byExactName } from '../../tool-search/finders/by-exact-name.ts'
import { byNames } from '../../tool-search/finders/by-names.ts'
import { byPrefix } from '../../tool-search/finders/by-prefix.ts'
import { bySelect } from '../../tool-search/finders/by-select.ts'
import { byWords } from '../../tool-search/finders/by-words.ts'
import { limitFrom } from '../../tool-search/read-arguments.ts'
import { resultFormat } from '../../tool-search/result-format.ts'
import { usedIn } from '../../tool-search/search-answer.ts'
import { searchTool } from '../../tool-search/search-tool.ts'

/**
 * The default. Combines the best of the other presets: all query forms, the fielded ranker, a list
 * of names that does not change once sent, tools that stay loaded, and a helpful answer to every
 * call that cannot succeed.
 */
export const unified: Preset = freezePreset({
  preset: 'unified',
  searchTool: searchTool({
    name: 'tool_search',
    description:
      'Find and load tools that are not in your tool list yet, so that you can call them in your ' +
      'next step. Search before you conclude that something cannot be done.',
    query:
      'What the tool should do, in a few words and in the language of the tools ("create calendar ' +
      'event"). Leave out dates, people and other details. "+" marks a word that must occur in the ' +
      'name, description, tags or server of every result ("+github open issues"). For exact names ' +
      'use "select:read_file,write_file".',
    limit: {
      name: 'max_results',
      description: 'Maximum number of tools to load. Default: 5.',
      maximum: 25,
    },
  }),
  activation: { anyOf: [{ toolCount: 15 }, { definitionShare: 0.1 }] },
  deferral: { mcp: 'deferred', others: 'deferred' },
  ranker: fieldedRanker,
  readArguments: limitFrom('max_results', 'top_k'),
  readQuery: queryReader({}),
  finders: [
    bySelect({ most: 50, spelled: true }),
    byExactName(),
    rejectBlank,
    byNames('add'),
    byPrefix({ containing: '__', eager: 'add' }),
    byWords({ names: true, requiredIn: 'all', eager: 'add', ties: 'name' }),
  ],
  selection: {
    defaultLimit: 5,
    maxLimit: 25,
    band: 0.4,
    confidence: { sure: 0.9, doubtful: 0.4 },
  },
  skills: true,
  announcement: {
    style: 'names',
    placement: 'fixed',
    budget: 2_000,
    text: (list, searchToolName) =>
      `You have more tools than the ones shown. Find and load them with ${searchToolName}.\n\n${list}`,
  },
  loading: 'sticky',
  result: usedIn('lists', resultFormat({ detail: 'signatures' })),
  unloadedCalls: 'answer',
})
