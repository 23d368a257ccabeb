import { isSkillName } from '../skills/skill-names.ts'
import { count } from './format.ts'

/** @example countTools(['files__read_file', 'skill:local/release-notes']) // '1 tool and 1 skill' */
export function countTools(names: readonly string[]): string {
  const skills = names.filter(isSkillName).length
  const tools = names.length - skills
  const parts = [
    ...(tools > 0 || skills === 0 ? [count(tools, 'tool')] : []),
    ...(skills > 0 ? [count(skills, 'skill')] : []),
  ]
  return parts.join(' and ')
}
