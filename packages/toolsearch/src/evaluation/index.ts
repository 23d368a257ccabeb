export {
  type CompareOptions,
  type Comparison,
  compareEvaluations,
  DifferentQueriesError,
} from './compare-evaluations.ts'
export {
  type EvaluatedSearch,
  type EvaluateOptions,
  type Evaluation,
  evaluate,
  type FoundTools,
  type QueryResult,
} from './evaluate.ts'
export { type EvaluationQuery, type Label, labelsOf } from './evaluation-set.ts'
export type { Scores } from './score-query.ts'
export { type EvaluationSummary, isDoubted, type Reliability } from './summarise.ts'
