export {
  type CompareOptions,
  type Comparison,
  compareEvaluations,
  DifferentQueriesError,
} from './compare-evaluations.ts'
export { type EvaluateOptions, type Evaluation, evaluate, type QueryResult } from './evaluate.ts'
export type {
  Confidence,
  EvaluatedSearch,
  FoundTools,
  StatedConfidence,
} from './evaluated-search.ts'
export { type EvaluationQuery, type Label, labelsOf } from './evaluation-set.ts'
export { isDoubted } from './is-doubted.ts'
export { type Reliability, type ReliabilityRow, reliability } from './reliability.ts'
export type { Scores } from './score-query.ts'
export type { EvaluationSummary } from './summarise.ts'
