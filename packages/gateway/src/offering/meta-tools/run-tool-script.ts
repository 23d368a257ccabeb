import { AsyncResource } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { writeParameters } from 'toolsearch'
import type { Effect } from '../../access/effect.ts'
import type { ScriptsConfig } from '../../config/gateway-config.ts'
import { isObject, type JsonObject } from '../../protocol/json-object.ts'
import { withoutTasks } from '../../protocol/task-extension.ts'
import { type CallEnd, type CallingOptions, runScript } from '../../scripts/run-script.ts'
import { toolData } from '../../scripts/tool-data.ts'
import { writeRun } from '../../scripts/write-run.ts'
import type { CallOptions, InnerCallOptions } from '../gateway-view.ts'
import { isLocal } from '../result-reader.ts'
import { toolWrittenAs } from '../tool-written-as.ts'
import { answerQuestions } from './answer-questions.ts'
import type { CallContext } from './meta-tool.ts'

interface ToolScript {
  readonly source: string
  /** The most that the script may do. */
  readonly effect: Effect
  readonly bounds: ScriptsConfig
}

/** Runs a script of an agent. Each of its calls is a call of the agent. */
export async function runToolScript(
  { source, effect, bounds }: ToolScript,
  options: CallOptions,
  { tools, scripts }: Pick<CallContext, 'tools' | 'scripts'>,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { caller, signal, onProgress, callInner, scriptId = randomUUID() } = options
  const script = { id: scriptId, effect }
  const names = new Map<string, string>()

  /** The tool that the script means: names of tools can contain more than identifiers can. */
  function nameOf(written: string): string {
    if (tools.origin(written)) return written
    const known = names.get(written)
    if (known !== undefined) return known
    const visible = tools.all().map(({ name }) => name)
    const name = toolWrittenAs(written, visible)
    names.set(written, name)
    return name
  }

  async function call(name: string, args: JsonObject, calling: CallingOptions): Promise<CallEnd> {
    try {
      const params = { name, arguments: args }
      const inner = innerOptions(options, calling)
      const result = await answerQuestions(params, inner, (next, with_) =>
        callInner!(next, { ...with_, script }),
      )
      if (result.isError !== true) return { data: toolData(result) }
      const { retryAfterMs } = (result._meta ?? {}) as JsonObject
      return {
        problem: {
          message: plainMessage(textOf(result)),
          ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
        },
      }
    } catch (error) {
      return { problem: { message: error instanceof Error ? error.message : String(error) } }
    }
  }

  let ended = 0
  const run = await runScript(scripts, {
    source,
    bounds,
    person: caller && !isLocal(caller) ? caller.person.id : undefined,
    signal,
    toolName: nameOf,
    // Messages of a thread arrive outside of the request, which telemetry has to know.
    call: AsyncResource.bind(call),
    onCallEnded(_, tool) {
      ended += 1
      const message = `${ended} ${ended === 1 ? 'call' : 'calls'} done: ${tool}`
      onProgress?.({ progress: ended, message })
    },
  })
  return { text: writeRun(run, source), isError: run.end.kind === 'failed' }
}

/** What a call of the script passes on. Its progress is not that of the script. */
function innerOptions(
  options: CallOptions,
  { signal, pause }: CallingOptions,
): Omit<InnerCallOptions, 'script'> {
  const { onServerRequest, onNotification, clientConnection, envelope } = options
  return {
    signal,
    ...(onServerRequest && {
      async onServerRequest(...request) {
        const resume = pause()
        try {
          return await onServerRequest(...request)
        } finally {
          resume()
        }
      },
    }),
    ...(onNotification && { onNotification }),
    ...(clientConnection && { clientConnection }),
    // A script waits for its calls.
    ...(envelope && { envelope: withoutTasks(envelope) }),
  }
}

function textOf({ content }: JsonObject): string {
  const texts = (Array.isArray(content) ? content : []).map((block) => (block as JsonObject).text)
  const text = texts.filter((each) => typeof each === 'string').join('\n')
  return text === '' ? 'The call failed.' : text
}

/** The gateway's own explanations are JSON, with the schema of the tool if arguments are wrong. */
function plainMessage(text: string): string {
  try {
    const { error, closest, ...rest } = JSON.parse(text) as JsonObject
    if (typeof error !== 'string') return text
    const { name, problems, inputSchema } = rest
    if (Array.isArray(problems) && isObject(inputSchema)) {
      const parameters = writeParameters(inputSchema) ?? JSON.stringify(inputSchema)
      return `The arguments of ${name} are invalid: ${problems.join('; ')}. Its parameters are ${parameters}`
    }
    if (closest !== undefined) {
      return error.includes('tool_search') ? error : `${error} Find tools with tool_search.`
    }
    return Object.keys(rest).length === 0 ? error : `${error} ${JSON.stringify(rest)}`
  } catch {
    return text
  }
}
