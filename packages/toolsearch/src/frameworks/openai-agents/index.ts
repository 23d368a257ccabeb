export { agentTools } from './agent-tools.ts'
export {
  type OpenaiAgentsOptions,
  type OpenaiAgentsSettings,
  openaiAgents,
} from './openai-agents.ts'
export type { AgentTool, HostedTool, NativeSearch } from './sdk-shapes.ts'
