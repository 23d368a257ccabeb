export { langchainEmbedder } from './langchain-embedder.ts'
export type {
  LangChainMessage,
  LangChainRun,
  LangChainTool,
  LangChainToolCall,
} from './langchain-shapes.ts'
export { langchainTools } from './langchain-tools.ts'
export type { FunctionTool, LangChainOptions, ListedTool } from './threads.ts'
export {
  type ModelRequest,
  type ToolCallRequest,
  type ToolSearchMiddleware,
  toolSearchMiddleware,
} from './tool-search-middleware.ts'
export {
  type GraphState,
  type PreparedRequest,
  type ToolSearchNodes,
  toolSearchNodes,
} from './tool-search-nodes.ts'
