import type { Caller } from '../identity/caller.ts'
import type { JudgedTool } from './access-rules.ts'
import type { Access, AccessPart } from './create-access.ts'
import type { Decider } from './decider.ts'
import type { Decision } from './rights.ts'

/** Something that a caller may or may not use. */
export type AccessQuestion =
  | { readonly tool: JudgedTool; readonly args?: Readonly<Record<string, unknown>> | undefined }
  | { readonly resource: { readonly server: string; readonly uri: string } }
  | { readonly skill: { readonly server: string; readonly name: string } }
  | { readonly prompt: { readonly server: string; readonly name: string } }

/** Why a caller may or may not use something, for administrators. */
export interface AccessExplanation extends Decision {
  /** Each part that must allow it, with its own decision. Empty if there are no rules. */
  readonly parts: readonly (Decision & { readonly by: AccessPart['by'] })[]
}

export function explainAccess(
  access: Access,
  caller: Caller,
  question: AccessQuestion,
): AccessExplanation {
  const decision = answer(access.rightsOf(caller), question)
  const parts = access
    .partsOf(caller)
    .map(({ by, decider }) => ({ by, ...answer(decider, question) }))
  return { ...decision, parts }
}

function answer(decider: Omit<Decider, 'reaches'>, question: AccessQuestion): Decision {
  if ('resource' in question) return decider.resource(question.resource)
  if ('skill' in question) return decider.skill(question.skill)
  if ('prompt' in question) return decider.prompt(question.prompt)
  const { tool, args } = question
  return args ? decider.call(tool, args) : decider.tool(tool)
}
