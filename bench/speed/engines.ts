import type { Engine } from './engine.ts'
import { minisearchEngine } from './minisearch-engine.ts'
import { oramaEngine } from './orama-engine.ts'
import { hybridEngine, rankerEngine } from './ranker-engine.ts'
import { semanticEngine, toolsearchEngine } from './toolsearch-engine.ts'

export const ENGINES: readonly Engine[] = [
  rankerEngine,
  toolsearchEngine,
  hybridEngine,
  semanticEngine,
  minisearchEngine,
  oramaEngine,
]
