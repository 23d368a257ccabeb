import type { Effect } from '../../access/effect.ts'
import { textOf } from '../../protocol/json-object.ts'
import type { McpTool } from '../../protocol/mcp-tool.ts'
import { stripFence } from '../../scripts/strip-fence.ts'
import { failure, textBlock } from '../call-failure.ts'
import { readerOf } from '../result-reader.ts'
import type { ViewConfig } from '../view-config.ts'
import { type MetaTool, metaToolDefinition } from './meta-tool.ts'
import { runToolScript } from './run-tool-script.ts'
import { RUN, RUN_BY_EFFECT } from './script-tool-names.ts'

/** Every word is in every request, so only what a model needs for its first script. */
function describe(effect: string): string {
  return (
    'Run an async TypeScript function body, for several calls or large results: only what it returns or logs enters your context. ' +
    `await tools.NAME({ … }) calls a found tool${effect}. It gives what the search result declares as "returns", ` +
    'else parsed JSON or text, and throws on failure. No imports, network, files, clock or randomness.'
  )
}

const SCRIPT = { type: 'string' }

/** The meta tools that run a script: one for all, or one for each effect. */
export const scriptTools: readonly MetaTool[] = [
  scriptTool(RUN, 'one', {
    description: describe(''),
    properties: {
      script: SCRIPT,
      effect: {
        enum: ['read', 'write', 'destructive'],
        default: 'read',
        description:
          'The most that the script may do: "write" to call tools that add or change data, "destructive" for those that may delete or overwrite data.',
      },
    },
    annotations: {},
  }),
  scriptTool(RUN_BY_EFFECT.read, 'by-effect', {
    description: describe(' with effect "read"'),
    properties: { script: SCRIPT },
    annotations: { readOnlyHint: true },
    effect: 'read',
  }),
  scriptTool(RUN_BY_EFFECT.write, 'by-effect', {
    description: `Like ${RUN_BY_EFFECT.read}, also for "write" tools.`,
    properties: { script: SCRIPT },
    annotations: { readOnlyHint: false, destructiveHint: false },
    effect: 'write',
  }),
  scriptTool(RUN_BY_EFFECT.destructive, 'by-effect', {
    description: `Like ${RUN_BY_EFFECT.read}, for all tools.`,
    properties: { script: SCRIPT },
    annotations: { readOnlyHint: false, destructiveHint: true },
    effect: 'destructive',
  }),
]

/** How to run a script that calls a tool with this effect. */
export function nextScriptTool(effect: Effect, { callTools }: ViewConfig): string {
  return callTools === 'one'
    ? `pass effect "${effect}" to ${RUN} if the task requires it`
    : `run the script with ${RUN_BY_EFFECT[effect]} if the task requires it`
}

interface ScriptToolOptions {
  readonly description: string
  readonly properties: object
  readonly annotations: object
  /** The most that its scripts may do. @default the argument `effect` */
  readonly effect?: Effect
}

function scriptTool(
  name: string,
  offeredIf: ViewConfig['callTools'],
  { description, properties, annotations, effect }: ScriptToolOptions,
): MetaTool {
  const definition: McpTool = metaToolDefinition(
    name,
    description,
    { properties, required: ['script'] },
    annotations,
  )
  return {
    name,
    definition: ({ config }) =>
      config.scripts && config.callTools === offeredIf ? definition : undefined,
    async answer({ arguments: { script, effect: given = 'read' } }, options, context) {
      const { scripts, callTools, limits } = context.config()
      if (!scripts) return failure('Scripts are turned off.')
      // The other tools may be approved automatically by their annotations.
      if (callTools !== offeredIf) return failure(`${name} is not available.`)
      if (script === undefined) return failure('Pass the script as "script".')
      if (typeof script !== 'string') return failure('"script" must be a string.')
      if (script.length > scripts.chars) {
        const limit = scripts.chars.toLocaleString('en')
        return failure(`The script has more than ${limit} characters, which is the limit.`)
      }
      const allowed = effect ?? given
      if (!isEffect(allowed)) return failure('"effect" must be read, write or destructive.')
      const { text, isError } = await runToolScript(
        { source: stripFence(script), effect: allowed, bounds: scripts },
        options,
        context,
      )
      const result = { content: [textBlock(text)], ...(isError && { isError }) }
      return context.results.truncate(result, limits.resultChars, readerOf(options))
    },
  }
}

function isEffect(value: unknown): value is Effect {
  return Object.hasOwn(RUN_BY_EFFECT, textOf(value))
}
