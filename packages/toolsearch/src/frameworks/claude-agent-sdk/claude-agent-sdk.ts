import type { HookCallback, McpSdkServerConfigWithInstance } from '@anthropic-ai/claude-agent-sdk'
import { type BridgePlan, createBridge } from '../../bridge/bridge.ts'
import type { Session } from '../../session/session.ts'
import { checkExpect, type ExpectOption, expectedWords } from '../expect-option.ts'
import { mcpResult } from './mcp-result.ts'
import { type McpTool, type McpTransport, serveMcp } from './serve-mcp.ts'

/** Claude Code cuts the instructions of a server after so many characters. */
const MAX_INSTRUCTIONS = 4_096
const CUT_NOTE = '\n(This list is incomplete. The search finds the other tools.)'
/** Without it, Claude Code hides our tools behind its own tool search. */
const ALWAYS_LOAD = { 'anthropic/alwaysLoad': true }

/**
 * An MCP server for `mcpServers` of the Claude Agent SDK, with which Claude finds and calls the
 * tools of the session. It runs in this process. One server can serve several queries of its
 * conversation, one after another or with `resume`.
 *
 * @example
 * const session = await toolSearch.session('chat-42')
 * query({ prompt, options: { mcpServers: { tools: claudeAgentSdk(session) } } })
 *
 * @throws InvalidOptionError
 */
export function claudeAgentSdk(session: Session): McpSdkServerConfigWithInstance {
  const bridge = createBridge(session, { news: 'results' })
  const name = 'toolsearch'

  const instance = {
    async connect(transport: McpTransport): Promise<void> {
      let listed = ''
      const announceChange = await serveMcp(
        {
          name,
          instructions: async () => fit((await bridge.planRequest()).system),
          async tools() {
            const tools = toolList(await bridge.planRequest())
            listed = namesOf(tools)
            return tools
          },
          async call(call, signal) {
            // Collects news for the result, and tools that Claude must see in full.
            const tools = toolList(await bridge.planRequest())
            if (namesOf(tools) !== listed) announceChange()
            if (call.name === bridge.searchTool.name) {
              return mcpResult(await bridge.search(call.arguments))
            }
            const { id: callId, ...input } = call
            const isWrapped = call.name === bridge.callTool.name
            const done = await bridge.call(isWrapped ? call.arguments : input, {
              signal,
              ...(callId !== undefined && { callId }),
            })
            return mcpResult(done.kind === 'run' ? await bridge.execute(done) : done)
          },
        },
        transport,
      )
    },
  }
  // The Agent SDK only calls `connect`. The type is a class of the MCP SDK, which we don't import.
  return { type: 'sdk', name, instance: instance as never }

  function toolList({ tools, isActive }: BridgePlan): readonly McpTool[] {
    const { searchTool, callTool } = bridge
    const all = isActive ? [{ ...searchTool, annotations: { readOnlyHint: true } }, callTool] : []
    return [...all, ...tools].map((tool) => ({ ...tool, _meta: ALWAYS_LOAD }))
  }
}

/**
 * A hook for `hooks.UserPromptSubmit` of the Claude Agent SDK. It searches with each message of the
 * user, and describes the tools that surely fit before Claude asks for them. Claude Code keeps the
 * description after the message. A function gets the message and returns the words to search with.
 *
 * @example
 * query({ prompt, options: { mcpServers, hooks: { UserPromptSubmit: [expectHook(session)] } } })
 *
 * @throws InvalidOptionError
 */
export function expectHook(
  session: Session,
  expect: ExpectOption = true,
): { hooks: HookCallback[] } {
  checkExpect(expect, 'expect')
  const bridge = createBridge(session)
  return {
    hooks: [
      async (input) => {
        if (input.hook_event_name !== 'UserPromptSubmit') return {}
        const { notice } = await bridge.planRequest(expectedWords(expect, input.prompt))
        if (notice === undefined) return {}
        const { hook_event_name: hookEventName } = input
        return { hookSpecificOutput: { hookEventName, additionalContext: notice } }
      },
    ],
  }
}

function namesOf(tools: readonly McpTool[]): string {
  return JSON.stringify(tools.map((tool) => tool.name))
}

/** Cuts a list that is too long after a line, and says so. */
function fit(instructions: string | undefined): string | undefined {
  if (instructions === undefined || instructions.length <= MAX_INSTRUCTIONS) return instructions
  const start = instructions.slice(0, MAX_INSTRUCTIONS - CUT_NOTE.length)
  return start.slice(0, start.lastIndexOf('\n')) + CUT_NOTE
}
