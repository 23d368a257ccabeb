import type { AnsweredCall } from '../../tool-search/call-result.ts'

/** Thrown inside a schema's validation to keep the SDK from running a call. */
export class CallAnswered extends Error {
  override readonly name = 'CallAnswered'
  readonly answer: AnsweredCall

  constructor(answer: AnsweredCall) {
    super(answer.text)
    this.answer = answer
  }
}

/** The answer in an error of the SDK, which wraps the original error several times. */
export function answerIn(error: unknown): AnsweredCall | undefined {
  if (error instanceof CallAnswered) return error.answer
  return error instanceof Error && error.cause ? answerIn(error.cause) : undefined
}

/** The problems that an error of the SDK reports about a call, for the model. */
export function problemsIn(error: Error): string[] {
  const issues = issuesIn(error.cause)
  if (issues === undefined) return [error.message]
  return issues.map(({ path = [], message }) =>
    path.length > 0 ? `"${path.map(keyOf).join('.')}": ${message}` : message,
  )
}

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[]
}

/** The issues that zod or a similar library found, however deeply wrapped. */
function issuesIn(cause: unknown): readonly Issue[] | undefined {
  if (Array.isArray(cause)) return cause
  if (!(cause instanceof Error)) return undefined
  const { issues } = cause as { issues?: unknown }
  return Array.isArray(issues) ? issues : issuesIn(cause.cause)
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === 'object' ? segment.key : segment)
}
