import { type Command, cachedHelp, cachedOptions, rankerHelp, rankerOption } from './command.ts'

export const evalCommand: Command = {
  name: 'eval',
  summary: 'Measure search quality with your own queries',
  usage: '[--queries FILE] [options]',
  options: {
    ...cachedOptions,
    ...rankerOption,
    queries: { type: 'string', short: 'q' },
    'min-recall': { type: 'string' },
  },
  help: [
    ...cachedHelp,
    '-q, --queries FILE',
    '                   JSON Lines file of {"query": "…", "relevant": ["server__tool"]}',
    '                   (default: toolsearch.queries.jsonl next to the config file)',
    '--min-recall N     exit with code 1 if recall in the first 5 results is below N (0 to 1)',
    rankerHelp,
  ],
  examples: ['toolsearch eval', 'toolsearch eval --queries queries.jsonl --min-recall 0.8'],
  run: async (call) => (await import('./run-eval.ts')).runEval(call),
}
