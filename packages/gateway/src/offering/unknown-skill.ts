import { closestName } from './closest-name.ts'
import type { SkillFiles } from './skill-files.ts'

const MAX_LISTED = 20

/** Says what is wrong with a name that no skill and no file of a skill has, and what may be meant. */
export function unknownSkill(
  name: string,
  skills: Pick<SkillFiles, 'list' | 'filesOf' | 'isOffered'>,
): string {
  const offered = skills.list().filter(skills.isOffered)
  const around = offered
    .filter((skill) => name.startsWith(`${skill.name}/`))
    .sort((one, other) => other.name.length - one.name.length)[0]
  if (around) {
    const files = skills.filesOf(around).map(({ path }) => path)
    const more = files.length > MAX_LISTED ? ` and ${files.length - MAX_LISTED} more` : ''
    const file = name.slice(around.name.length + 1)
    return `The skill "${around.name}" has no file "${file}". Its files: ${files.slice(0, MAX_LISTED).join(', ')}${more}.`
  }
  const closest = closestName(
    name,
    offered.map((skill) => skill.name),
  )
  const hint = closest === undefined ? '' : ` Did you mean "${closest}"?`
  return `There is no skill "${name}".${hint}`
}
