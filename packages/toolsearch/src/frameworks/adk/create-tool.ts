import type { BaseTool, LlmRequest } from '@google/adk'
import type { ToolText } from '../../tokens/tool-tokens.ts'

export interface ToolMethods extends Pick<BaseTool, 'runAsync' | 'checkRequireConfirmation'> {
  /** Called before the tool is added to a request. */
  prepare(llmRequest: LlmRequest): Promise<void>
}

// ADK recognises its classes by symbols, so that several copies of it can work together
const BASE_TOOL = Symbol.for('google.adk.baseTool')

/** A tool of ADK. Subclassing `BaseTool` would require an import of ADK at run time. */
export function createTool(
  { name, description, inputSchema }: ToolText,
  { prepare, ...methods }: ToolMethods,
): BaseTool {
  const declaration = { name, description, parametersJsonSchema: inputSchema }
  const tool = {
    [BASE_TOOL]: true,
    name,
    description,
    isLongRunning: false,
    ...methods,
    _getDeclaration: () => declaration,
    async processLlmRequest({ llmRequest }: { llmRequest: LlmRequest }) {
      await prepare(llmRequest)
      llmRequest.toolsDict[name] = tool
      const { tools = [], ...config } = llmRequest.config ?? {}
      llmRequest.config = { ...config, tools: withDeclaration(tools, declaration) }
    },
  } as unknown as BaseTool
  return tool
}

type Tools = NonNullable<NonNullable<LlmRequest['config']>['tools']>

/** Gemini expects the declarations of all functions in one entry. */
function withDeclaration(tools: Tools, declaration: object): Tools {
  const isFunctions = (entry: Tools[number]) => 'functionDeclarations' in entry
  const found = tools.find(isFunctions) as { functionDeclarations?: object[] } | undefined
  const functionDeclarations = [...(found?.functionDeclarations ?? []), declaration]
  if (!found) return [...tools, { functionDeclarations }]
  return tools.map((entry) => (entry === found ? { ...found, functionDeclarations } : entry))
}
