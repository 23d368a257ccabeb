import type { Bridge } from '../../bridge/bridge.ts'
import type { Tool } from '../../catalogue/tool.ts'
import { argumentFields } from '../../tool-search/parse-arguments.ts'
import { originalOf } from './agent-tools.ts'
import type { CatalogueTools } from './catalogue-tools.ts'
import type { AgentTool, Guardrail, GuardrailData, GuardrailOutput } from './sdk-shapes.ts'
import { toSdkOutput } from './to-sdk-output.ts'

export interface BridgeToolsOptions {
  /** Whether the model needs the two tools now. */
  isActive(runContext: unknown): Promise<boolean>
  find(name: string): Tool | undefined
}

/** The search tool and the tool that calls what it found. */
export function bridgeTools(
  bridge: Bridge,
  catalogueTools: CatalogueTools,
  { isActive, find }: BridgeToolsOptions,
): AgentTool[] {
  const { name, description, inputSchema } = bridge.searchTool
  const callTool = catalogueTools.callTool()
  return [
    {
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
      isEnabled: isActive,
      needsApproval: async () => false,
      invoke: async (_runContext, input) => toSdkOutput((await bridge.search(input)).parts),
    },
    {
      ...callTool,
      isEnabled: async (runContext, agent) =>
        (await callTool.isEnabled(runContext, agent)) && isActive(runContext),
      inputGuardrails: [guardrail('tool_input', 'inputGuardrails')],
      outputGuardrails: [guardrail('tool_output', 'outputGuardrails')],
    },
  ]

  /** Runs the guardrails of the called tool, which the SDK cannot see. */
  function guardrail(type: string, field: 'inputGuardrails' | 'outputGuardrails') {
    return {
      type,
      name: 'guardrails of the called tool',
      async run(data: GuardrailData): Promise<GuardrailOutput> {
        const { name = '', arguments: input = {} } = argumentFields(data.toolCall.arguments)
        const original = originalOf(find(String(name)))
        const toolCall = { ...data.toolCall, name, arguments: JSON.stringify(input) }
        for (const { run } of (original?.[field] ?? []) as Guardrail[]) {
          const output = await run({ ...data, toolCall })
          if (output.behavior.type !== 'allow') return output
        }
        return { behavior: { type: 'allow' } }
      },
    }
  }
}
