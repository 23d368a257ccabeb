export {
  type Bridge,
  type BridgeAnswer,
  type BridgeOptions,
  type BridgePlan,
  createBridge,
} from './bridge/bridge.ts'
export type { AddOptions, Catalogue, CatalogueChange, ToolProblem } from './catalogue/catalogue.ts'
export { InvalidToolError } from './catalogue/catalogue-errors.ts'
export type { SourceState, SourceStates } from './catalogue/source-states.ts'
export type { StandardSchema } from './catalogue/standard-schema.ts'
export type {
  ExecuteContext,
  JsonSchema,
  Skill,
  Tool,
  ToolAnnotations,
  ToolDefinition,
} from './catalogue/tool.ts'
export type { ToolInput, ToolInputs } from './catalogue/tool-input.ts'
export { validSchema } from './catalogue/valid-schema.ts'
export { InvalidOptionError } from './options/invalid-option-error.ts'
export type { OutputPart, ToolOutput } from './outputs/output-part.ts'
export { type Activation, parseActivation } from './policy/activation.ts'
export type { DeferralPolicy } from './policy/deferral.ts'
export { claudeCode, claudeCodeWiki } from './presets/claude-code/claude-code.ts'
export { cortex } from './presets/cortex/cortex.ts'
export { dirge } from './presets/dirge/dirge.ts'
export { everruns, everrunsLatest } from './presets/everruns/everruns.ts'
export { nexo } from './presets/nexo/nexo.ts'
export { unified } from './presets/unified/unified.ts'
export type { Repair } from './providers/provider.ts'
export type {
  AdapterOptions,
  ProviderAdapter,
  RequestOptions,
} from './providers/provider-adapter.ts'
export type { Step, StepCall } from './providers/step.ts'
export type { SearchOptions } from './search-setup.ts'
export type {
  CallEvent,
  LoadedEvent,
  RemovedEvent,
  SearchEvent,
  ToolSearchEvents,
} from './session/events.ts'
export type { Announcement, Preset } from './session/preset.ts'
export type { Session, SessionSearchOptions, TurnOptions } from './session/session.ts'
export type { Turn } from './session/turn.ts'
export { createMemoryStore, type MemoryStoreOptions } from './stores/memory-store.ts'
export type { SessionRecord } from './stores/session-record.ts'
export type { SessionSnapshot } from './stores/session-snapshot.ts'
export type { SessionStore } from './stores/session-store.ts'
export { type CountTokens, estimateTokens } from './tokens/estimate-tokens.ts'
export type { SavingsReport } from './tokens/savings-report.ts'
export { type ToolText, toolTokens } from './tokens/tool-tokens.ts'
export type {
  AnsweredCall,
  CallResult,
  ExecutedCall,
  RunnableCall,
  RunResult,
} from './tool-search/call-result.ts'
export type { ValidateArguments } from './tool-search/check-arguments.ts'
export type { Confidence } from './tool-search/confidence.ts'
export type { ToolExplanation } from './tool-search/explain-tool.ts'
export type { Finder, Found } from './tool-search/finders/finder.ts'
export { parseArguments } from './tool-search/parse-arguments.ts'
export { type ResultFormatOptions, resultFormat } from './tool-search/result-format.ts'
export type { Answer, ResultContext, ResultFormat } from './tool-search/search-answer.ts'
export type { SearchTool } from './tool-search/search-behaviour.ts'
export type { SearchHit, SearchOutcome } from './tool-search/search-outcome.ts'
export type { ToolCall } from './tool-search/tool-call.ts'
export { writeParameters } from './tool-search/write-parameters.ts'
export { ToolSearchError } from './tool-search-error.ts'
export {
  createToolSearch,
  type ExplainOptions,
  type SessionOptions,
  type ToolSearch,
  type ToolSearchOptions,
} from './toolsearch.ts'
export { promotionIn } from './words/promotional-text.ts'
