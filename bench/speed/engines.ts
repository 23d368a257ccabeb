import type { Engine } from './engine.ts'
import { minisearchEngine } from './minisearch-engine.ts'
import { oramaEngine } from './orama-engine.ts'
import { hybridEngine, rankerEngine, semanticEngine, toolsearchEngine } from './our-engines.ts'

export const ENGINES: readonly Engine[] = [
  rankerEngine,
  toolsearchEngine,
  hybridEngine,
  semanticEngine,
  minisearchEngine,
  oramaEngine,
]
