// Runs a benchmark: npm run bench -- gateway
import { chooseProgram } from './choose-program.js'

chooseProgram('bench', {
  speed: ['bench/speed.ts', 'Search speed, index time and memory, compared with other libraries'],
  retrieval: [
    'bench/retrieval/retrieval.ts',
    'Recall on public data sets, compared with other libraries',
  ],
  attacks: [
    'bench/attacks/attacks.ts',
    'How often a hostile server is found for requests that it does not serve',
  ],
  tokens: ['bench/token-estimate.ts', 'The token estimate, compared with a real tokenizer'],
  wire: [
    'bench/wire.ts',
    'Tokens and cache hits of a conversation, for every provider and framework',
  ],
  answers: [
    'bench/answers.ts',
    'Tokens of search answers of the gateway, and how often one search is enough',
  ],
  scripts: ['bench/scripts.ts', 'What scripts save, compared with direct calls'],
  learning: ['bench/learning.ts', 'What learning from use gains, and what an adversary can do'],
  expect: ['bench/expect.ts', 'How often expected tools are right, and what they cost'],
  engine: ['bench/engine.ts', 'A search over PostgreSQL, compared with one in memory'],
  command: ['bench/command.ts', 'How fast the toolsearch command starts'],
  gateway: [
    'bench/gateway.ts',
    'What a call through the gateway costs, compared with other gateways',
  ],
  team: ['bench/team.ts', 'What identity, access, limits, audit and replicas cost'],
  inspector: [
    'packages/inspector/bench/keystrokes.ts',
    'How fast the search lab follows the keyboard',
  ],
  eval: ['bench/evaluation/eval.ts', 'Evaluate a ranker on a set of queries'],
  tune: [
    'bench/evaluation/tune.ts',
    'Choose the weights of a ranker on half of the sets, and judge them on the other',
  ],
  'tune-confidence': [
    'bench/evaluation/tune-confidence.ts',
    'Fit the confidence of a ranker, and judge it on other sets',
  ],
})
