export type { ListingStyle } from './announcement/format-tool-list.ts'
export {
  type Bridge,
  type BridgeAnswer,
  type BridgeCallOptions,
  type BridgeOptions,
  type BridgePlan,
  createBridge,
} from './bridge/bridge.ts'
export type {
  AddOptions,
  Catalogue,
  CatalogueChange,
  ToolProblem,
} from './catalogue/catalogue.ts'
export { DuplicateToolError, InvalidToolError } from './catalogue/catalogue-errors.ts'
export type { SchemaProblem } from './catalogue/check-schema.ts'
export type { SourceState, SourceStates } from './catalogue/source-states.ts'
export type { StandardSchema, ToJsonSchema } from './catalogue/standard-schema.ts'
export type {
  ExecuteContext,
  Execution,
  JsonSchema,
  Loading,
  Skill,
  Tool,
  ToolAnnotations,
  ToolDefinition,
  ToolSource,
} from './catalogue/tool.ts'
export type { ToolInput, ToolInputs, ToolRecord, UnnamedTool } from './catalogue/tool-input.ts'
export { validSchema } from './catalogue/valid-schema.ts'
export type { TextLanguage } from './languages/detect-language.ts'
export { createLexicon, type Lexicon } from './languages/lexicon.ts'
export { LexiconError } from './languages/lexicon-error.ts'
export type { TranslatedText, TranslatedWord } from './languages/translate-text.ts'
export { InvalidOptionError } from './options/invalid-option-error.ts'
export type {
  DroppedPart,
  LinkPart,
  MediaPart,
  NativeBlock,
  NativePart,
  OutputPart,
  ResourcePart,
  TextPart,
  ToolOutput,
} from './outputs/output-part.ts'
export { type Activation, InvalidActivationError, parseActivation } from './policy/activation.ts'
export type { DeferralPolicy } from './policy/deferral.ts'
export { claudeCode, claudeCodeWiki } from './presets/claude-code/claude-code.ts'
export { cortex } from './presets/cortex/cortex.ts'
export { cortexRanker } from './presets/cortex/cortex-ranker.ts'
export { bigramRanker } from './presets/dirge/bigram-ranker.ts'
export { dirge } from './presets/dirge/dirge.ts'
export { everruns, everrunsLatest } from './presets/everruns/everruns.ts'
export { termCountRanker } from './presets/everruns/term-count-ranker.ts'
export { weightedTermsRanker } from './presets/everruns/weighted-terms-ranker.ts'
export { nexo } from './presets/nexo/nexo.ts'
export { type NexoWeights, nexoRanker } from './presets/nexo/nexo-ranker.ts'
export { unified } from './presets/unified/unified.ts'
export type { Repair } from './providers/provider.ts'
export type {
  AdapterOptions,
  ProviderAdapter,
  RequestOptions,
} from './providers/provider-adapter.ts'
export type { CallOutput, Step, StepCall } from './providers/step.ts'
export type { WordsQuery } from './query/query.ts'
export { type Bm25Options, bm25Ranker } from './ranking/bm25-ranker.ts'
export { fieldedRanker } from './ranking/fielded-ranker.ts'
export type { FieldedWeights } from './ranking/fielded-weights.ts'
export type { RequiredScope } from './ranking/has-required-terms.ts'
export { type HybridRankerOptions, hybridRanker } from './ranking/hybrid-ranker.ts'
export type { HybridWeights } from './ranking/hybrid-weights.ts'
export type {
  Field,
  Match,
  Ranker,
  Ranking,
  RankOptions,
  ScoredTool,
  ScorePart,
  TieBreak,
} from './ranking/ranker.ts'
export { SharedRankerError } from './ranking/shared-ranker-error.ts'
export { type TranslatingRankerOptions, translatingRanker } from './ranking/translating-ranker.ts'
export type { SearchOptions } from './search-setup.ts'
export type { Embedder, TextVectors } from './semantics/embedder.ts'
export {
  type EmbedderOptions,
  type EndpointOptions,
  endpointEmbedder,
  functionEmbedder,
} from './semantics/embedders.ts'
export {
  createRemoteVectors,
  type RemoteVectors,
  type RemoteVectorsOptions,
} from './semantics/remote-vectors.ts'
export type {
  CallEvent,
  LoadedEvent,
  RemovedEvent,
  SearchEvent,
  ToolSearchEvents,
} from './session/events.ts'
export type { Announcement, Preset, PresetOverrides } from './session/preset.ts'
export type { Session, SessionSearchOptions, TurnOptions } from './session/session.ts'
export type { AnswerOptions, RunOptions, SessionCalls } from './session/session-calls.ts'
export { SessionClosedError } from './session/session-closed-error.ts'
export type { AppendOnly, Turn } from './session/turn.ts'
export { createMemoryStore, type MemoryStoreOptions } from './stores/memory-store.ts'
export { SessionExistsError } from './stores/session-exists-error.ts'
export type { LoadedTool, PlacedNotice, SessionRecord } from './stores/session-record.ts'
export {
  InvalidSnapshotError,
  MissingAccessError,
  type SessionSnapshot,
  type SnapshotAccess,
} from './stores/session-snapshot.ts'
export type { SessionStore } from './stores/session-store.ts'
export type { LoadingMode } from './stores/stored-session.ts'
export { type CountTokens, estimateTokens } from './tokens/estimate-tokens.ts'
export type { SavingsReport, SourceCost } from './tokens/savings-report.ts'
export { type ToolText, toolTokens } from './tokens/tool-tokens.ts'
export type {
  AnsweredCall,
  CallResult,
  ExecutedCall,
  RunnableCall,
  RunResult,
} from './tool-search/call-result.ts'
export { InvalidValidatorError, type ValidateArguments } from './tool-search/check-arguments.ts'
export type { Confidence, ConfidenceThresholds } from './tool-search/confidence.ts'
export type { ToolExplanation, Verdict } from './tool-search/explain-tool.ts'
export type { Finder, Found, SearchReasons } from './tool-search/finders/finder.ts'
export type { ResultDetail } from './tool-search/fit-entries.ts'
export { parseArguments } from './tool-search/parse-arguments.ts'
export { type ResultFormatOptions, resultFormat } from './tool-search/result-format.ts'
export type { Answer, ResultContext, ResultFormat } from './tool-search/search-answer.ts'
export type {
  SearchBehaviour,
  SearchTool,
  Selection,
} from './tool-search/search-behaviour.ts'
export type {
  HitStatus,
  MissingName,
  OmittedTools,
  SearchHit,
  SearchOutcome,
  SearchProblem,
} from './tool-search/search-outcome.ts'
export { InvalidCallError, type ToolCall } from './tool-search/tool-call.ts'
export { type WriteParametersOptions, writeParameters } from './tool-search/write-parameters.ts'
export { ToolSearchError } from './tool-search-error.ts'
export {
  createToolSearch,
  type ExplainOptions,
  type SessionOptions,
  type ToolSearch,
  type ToolSearchOptions,
} from './toolsearch.ts'
export { promotionIn } from './words/promotional-text.ts'
