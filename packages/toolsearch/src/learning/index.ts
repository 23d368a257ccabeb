export type { SearchRanker } from './learned-ranker.ts'
export {
  createLearning,
  type Learning,
  type LearningCaller,
  type LearningOptions,
} from './learning.ts'
export type { LearningStore } from './learning-store.ts'
export type { Use, UseFilter } from './use.ts'
export type { UseTracker } from './use-tracker.ts'
