import { isListOfStrings } from '../is-list-of-strings.ts'
import { isObject } from '../is-object.ts'
import { closestKey } from '../options/check-option.ts'
import { kindOf } from './kind-of.ts'
import type { Skill } from './tool.ts'

const FIELDS = ['instructions', 'tools'] satisfies (keyof Skill)[]

/** Reads the `skill` field of a definition. Undefined for a tool. Throws what `invalid` returns. */
export function readSkill(
  { skill, execute }: Readonly<Record<string, unknown>>,
  invalid: (field: string, problem: string) => Error,
): Skill | undefined {
  if (skill === undefined || skill === null) return undefined
  if (!isObject(skill)) {
    throw invalid('skill', `must be an object such as { instructions: '…' }, got ${kindOf(skill)}`)
  }
  const unknown = Object.keys(skill).find((field) => !FIELDS.some((known) => known === field))
  if (unknown !== undefined) {
    const closest = closestKey(unknown, FIELDS)
    const hint = closest ? `did you mean "${closest}"?` : `use ${FIELDS.join(' and ')}`
    throw invalid(`skill.${unknown}`, `is not a field of a skill; ${hint}`)
  }
  const { instructions, tools = [] } = skill
  if (instructions === undefined) {
    throw invalid('skill.instructions', 'is missing; write what the model has to do')
  }
  if (typeof instructions !== 'string') {
    throw invalid('skill.instructions', `must be a string, got ${kindOf(instructions)}`)
  }
  if (!isListOfStrings(tools)) throw invalid('skill.tools', 'must be an array of tool names')
  if (execute !== undefined && execute !== null) {
    throw invalid('execute', 'does not belong to a skill, which cannot be called')
  }
  return { instructions, tools }
}
