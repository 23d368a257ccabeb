export {
  type AiSdkMode,
  type AiSdkOptions,
  type AiSdkSettings,
  aiSdk,
  type StepOptions,
  type StepSettings,
} from './ai-sdk.ts'
export { aiSdkEmbedder } from './ai-sdk-embedder.ts'
export type { AsSchema } from './input-schema.ts'
export type { SdkMessage, SdkTool, SdkToolChoice, SdkToolName, SdkToolSet } from './sdk-shapes.ts'
export { type SdkSearchRequest, searchWith } from './search-with.ts'
