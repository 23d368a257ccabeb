import { queryReader } from '../../query/parse-query.ts'
import { bm25Ranker } from '../../ranking/bm25-ranker.ts'
import { freezePreset, type Preset } from '../../session/preset.ts'
import { ignoreBlank } from '../../tool-search/finders/blank-query.ts'
import { byExactName } from '../../tool-search/finders/by-exact-name.ts'
import { byNames } from '../../tool-search/finders/by-names.ts'
import { bySelect } from '../../tool-search/finders/by-select.ts'
import { byWords } from '../../tool-search/finders/by-words.ts'
import { limitFrom } from '../../tool-search/read-arguments.ts'
import { resultFormat } from '../../tool-search/result-format.ts'
import { usedIn } from '../../tool-search/search-answer.ts'
import { searchTool } from '../../tool-search/search-tool.ts'
import { EVERY_MATCH } from '../every-match.ts'
import { nexoRanker } from '../nexo/nexo-ranker.ts'
import { referenceFormat } from './reference-format.ts'

const claudeSearchTool = searchTool({
  name: 'ToolSearch',
  description:
    'Load tools that are listed without their parameters. You can call a tool once a search has loaded it.',
  query:
    '"select:Read,Edit" for exact names, or keywords. "+slack send" requires "slack" in the name.',
  limit: { name: 'max_results', description: 'Maximum number of tools to load. Default: 5.' },
})

const claudeSelection: Preset['selection'] = {
  ...EVERY_MATCH,
  defaultLimit: 5,
  maxLimit: Number.POSITIVE_INFINITY,
}

/**
 * Claude Code's `ToolSearch` as its wiki page describes it: requests contain all tools until the
 * conversation fills a tenth of the context window, then an index with one line per tool, searched
 * with BM25. See docs/presets.md.
 */
export const claudeCodeWiki: Preset = freezePreset({
  preset: 'claude-code-wiki',
  searchTool: claudeSearchTool,
  activation: { usageShare: 0.1 },
  deferral: { mcp: 'deferred', others: 'deferred' },
  ranker: bm25Ranker,
  readArguments: limitFrom('max_results'),
  readQuery: queryReader({}),
  finders: [bySelect(), ignoreBlank, byWords({ requiredIn: 'name', eager: 'skip', ties: 'name' })],
  selection: claudeSelection,
  announcement: {
    style: 'lines',
    placement: 'fixed',
    budget: Number.POSITIVE_INFINITY,
    text: (list, searchToolName) => `Tools you can load with ${searchToolName}:\n${list}`,
  },
  loading: 'sticky',
  result: usedIn(
    'schemas',
    resultFormat({
      detail: 'schemas',
      budget: Number.POSITIVE_INFINITY,
      again: true,
      overview: 'names',
    }),
  ),
  unloadedCalls: 'answer',
})

/**
 * Claude Code as its documentation describes it: tools of MCP servers are deferred from the start
 * (or by `auto:N`), listed by name and hint, loaded by reference, and unloaded when the history is
 * compacted. A query that is a tool's name returns only that tool, and tools named in a longer query
 * come first. Claude Code's ranking is not documented, so this preset uses nexo's ranker. See
 * docs/presets.md.
 */
export const claudeCode: Preset = freezePreset({
  preset: 'claude-code',
  searchTool: claudeSearchTool,
  activation: 'always',
  deferral: { mcp: 'deferred', others: 'eager' },
  ranker: nexoRanker,
  readArguments: limitFrom('max_results'),
  readQuery: queryReader({}),
  finders: [
    bySelect({ spelled: true }),
    byExactName(),
    ignoreBlank,
    byNames('skip'),
    byWords({ names: true, requiredIn: 'name', eager: 'skip', ties: 'name' }),
  ],
  selection: claudeSelection,
  announcement: {
    style: 'hints',
    placement: 'fixed',
    budget: Number.POSITIVE_INFINITY,
    text: (list, searchToolName) => `Tools you can load with ${searchToolName}:\n${list}`,
  },
  loading: 'until-compaction',
  result: usedIn('lists', referenceFormat),
  unloadedCalls: 'answer',
})
