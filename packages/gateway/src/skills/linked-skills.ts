import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'

/** Names that a message lists. */
const MAX_LINKS = 5

/**
 * Which links to skills are ignored, and what to add instead: one message per folder that they lead to,
 * unless the folder is one of `roots`.
 */
export async function linkedSkills(
  links: readonly string[],
  roots: readonly string[],
): Promise<string[]> {
  const byTarget = new Map<string, string[]>()
  for (const link of links) {
    const target = await realpath(link).catch(() => undefined)
    if (target === undefined) continue
    const isSkill = basename(target) === 'SKILL.md' || (await isFile(join(target, 'SKILL.md')))
    if (!isSkill) continue
    const skill = basename(target) === 'SKILL.md' ? dirname(target) : target
    const folder = dirname(skill)
    if (roots.some((root) => `${skill}${sep}`.startsWith(`${root}${sep}`))) continue
    byTarget.set(folder, [...(byTarget.get(folder) ?? []), basename(skill)])
  }
  return [...byTarget].map(([folder, names]) => {
    const more = names.length > MAX_LINKS ? ` and ${names.length - MAX_LINKS} more` : ''
    const listed = names.slice(0, MAX_LINKS).join(', ')
    return `Symbolic links are ignored (${listed}${more}). To offer these skills, add ${folder} to "skills".`
  })
}

async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (entry) => entry.isFile(),
    () => false,
  )
}
