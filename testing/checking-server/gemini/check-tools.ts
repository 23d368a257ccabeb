import { invalidSchema } from '../invalid-schema.ts'
import type { Problem } from '../problem.ts'
import type { Declaration, GeminiBody } from './gemini-body.ts'
import { geminiProblem, invalidField, unknownName } from './gemini-problem.ts'

const MAX_DECLARATIONS = 512
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/
const FIELDS = [
  'behavior',
  'description',
  'name',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
]

/** Checks the number of functions, and the fields and name of each. */
export function checkTools({ tools = [] }: GeminiBody): Problem | undefined {
  const seen = new Set<string>()
  let count = 0
  for (const [index, { functionDeclarations = [] }] of tools.entries()) {
    const place = `tools[${index}].function_declarations`
    count += functionDeclarations.length
    if (count > MAX_DECLARATIONS) {
      return invalidField(
        place,
        `At most ${MAX_DECLARATIONS} function declarations can be specified.`,
      )
    }
    for (const [at, declaration] of functionDeclarations.entries()) {
      const problem = checkDeclaration(declaration, `${place}[${at}]`)
      if (problem) return problem
      const name = declaration.name!
      if (seen.has(name)) {
        return geminiProblem(400, `Duplicate function declaration found: ${name}`)
      }
      seen.add(name)
    }
  }
  return undefined
}

function checkDeclaration(declaration: Declaration, place: string): Problem | undefined {
  const extra = Object.keys(declaration).find((field) => !FIELDS.includes(field))
  if (extra !== undefined) return unknownName(extra, place)
  const { name = '', parameters, parametersJsonSchema } = declaration
  if (!NAME.test(name)) {
    return invalidField(
      `${place}.name`,
      'Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.',
    )
  }
  if (parameters !== undefined && parametersJsonSchema !== undefined) {
    return invalidField(
      place,
      'Only one of `parameters` and `parameters_json_schema` can be specified.',
    )
  }
  const problem =
    parametersJsonSchema === undefined ? undefined : invalidSchema(parametersJsonSchema)
  if (problem !== undefined) return invalidField(`${place}.parameters_json_schema`, problem)
  return undefined
}
