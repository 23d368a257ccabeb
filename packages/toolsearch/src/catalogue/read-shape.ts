import { isObject } from '../is-object.ts'
import { InvalidToolError } from './catalogue-errors.ts'
import type { ExecuteContext } from './tool.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields of other shapes. A definition without them is in our own shape. */
const FOREIGN_FIELDS = [
  'type',
  'function',
  'parameters',
  'parametersJsonSchema',
  'input_schema',
  'defer_loading',
  'deferLoading',
  'input_examples',
  'allowed_callers',
  'output_schema',
  'cache_control',
  'responseJsonSchema',
]

/**
 * Translates a tool of any shape into the fields of our own. `nameInRecord` is the key if the tool
 * comes from an object of tools. @throws InvalidToolError if a provider defines the tool
 */
export function readShape(input: Fields, nameInRecord: string | undefined): Fields {
  const isForeign = FOREIGN_FIELDS.some((field) => input[field] !== undefined)
  const own = isForeign ? readForeign(input, nameInRecord) : input
  return nameInRecord === undefined ? own : fromRecord(own, nameInRecord)
}

function readForeign(input: Fields, nameInRecord: string | undefined): Fields {
  // Chat Completions nests the definition; fields of our own can stand next to it.
  const { function: nested, ...outer } = input
  const fields: Fields = isObject(nested) ? { ...outer, ...nested } : input
  const inputSchema =
    fields.inputSchema ?? fields.input_schema ?? fields.parameters ?? fields.parametersJsonSchema
  rejectHosted(fields, inputSchema, nameInRecord)
  return {
    ...fields,
    inputSchema,
    outputSchema: fields.outputSchema ?? fields.output_schema ?? fields.responseJsonSchema,
    inputExamples: fields.inputExamples ?? fields.input_examples,
    allowedCallers: fields.allowedCallers ?? fields.allowed_callers,
    cacheControl: fields.cacheControl ?? fields.cache_control,
    loading: fields.loading ?? loadingOf(fields),
  }
}

function loadingOf({ defer_loading, deferLoading }: Fields): string | undefined {
  if (defer_loading === true) return 'deferred'
  if (typeof deferLoading === 'boolean') return deferLoading ? 'deferred' : 'eager'
  return undefined
}

/** The AI SDK marks its provider tools even though they have an input schema. */
const PROVIDER_TYPES = ['provider', 'provider-defined']

function rejectHosted(
  fields: Fields,
  inputSchema: unknown,
  nameInRecord: string | undefined,
): void {
  const { type, name, custom } = fields
  if (typeof type !== 'string') return
  const isFunction = type === 'function' || type === 'dynamic' || (inputSchema ?? null) !== null
  if (isFunction && !PROVIDER_TYPES.includes(type)) return
  const own = isObject(custom) ? custom.name : name
  const toolName = nameInRecord ?? (typeof own === 'string' ? own : type)
  const what =
    type === 'custom' ? 'has no JSON Schema: it takes free text' : 'is defined by the provider'
  throw new InvalidToolError(
    toolName,
    'type',
    `is "${type}". The tool ${what}, so it cannot be searched. Leave it out here and pass it to the adapter as one of extraTools.`,
  )
}

function fromRecord(fields: Fields, name: string): Fields {
  const { execute } = fields
  return {
    ...fields,
    name,
    description: readDescription(fields.description, name),
    inputExamples: readExamples(fields.inputExamples),
    ...(typeof execute === 'function' && { execute: withSdkContext(execute as Execute) }),
  }
}

/** The AI SDK accepts a function of the tool's context, which does not exist here. */
function readDescription(description: unknown, name: string): unknown {
  if (typeof description !== 'function') return description
  try {
    return description({ context: undefined })
  } catch (error) {
    const reason = (error as Error)?.message ?? error
    throw new InvalidToolError(name, 'description', `is a function that threw: ${reason}`)
  }
}

/** The AI SDK wraps each example. */
function readExamples(examples: unknown): unknown {
  const isWrapped = (example: unknown) =>
    isObject(example) && isObject(example.input) && Object.keys(example).length === 1
  if (!Array.isArray(examples) || !examples.every(isWrapped)) return examples
  return examples.map(({ input }) => input)
}

type Execute = (input: unknown, context: unknown) => unknown

const executes = new WeakMap<Execute, Execute>()

/** The same function for the same tool, so that a tool that is added again counts as unchanged. */
function withSdkContext(execute: Execute): Execute {
  let wrapped = executes.get(execute)
  if (wrapped === undefined) {
    wrapped = (input, context) => {
      const { signal, callId = '' } = context as ExecuteContext
      const sdk = { toolCallId: callId, abortSignal: signal, messages: [], context: undefined }
      return lastOf(execute(input, { ...sdk, ...(context as ExecuteContext) }))
    }
    executes.set(execute, wrapped)
  }
  return wrapped
}

/** A tool of the AI SDK can yield preliminary results. The last one counts. */
function lastOf(output: unknown): unknown {
  const isStream = typeof output === 'object' && output !== null && Symbol.asyncIterator in output
  return isStream ? consume(output as AsyncIterable<unknown>) : output
}

async function consume(stream: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown
  for await (const output of stream) last = output
  return last
}
