export type { BridgeToolResult } from './bridge-tools.ts'
export type {
  MastraMessage,
  MastraRequestContext,
  MastraSignal,
  MastraStep,
  MastraTool,
} from './mastra-shapes.ts'
export { mastraTools } from './mastra-tools.ts'
export {
  type MastraOptions,
  type ToolSearchProcessor,
  toolSearchProcessor,
} from './tool-search-processor.ts'
