import type { SkillEntry } from '../skills/skill-entry.ts'
import { pathOfSkill, skillName } from '../skills/skill-names.ts'
import type { OfferedTool } from './offer-plan.ts'

const known = new WeakMap<readonly SkillEntry[], readonly OfferedTool[]>()

/**
 * Skills in the shape of tools, so that approvals, access rules and searches treat them alike. Their
 * names differ from all names of tools. The same objects for the same list.
 */
export function offerSkills(server: string, skills: readonly SkillEntry[]): readonly OfferedTool[] {
  const offered = known.get(skills) ?? skills.map((entry) => offerSkill(server, entry))
  known.set(skills, offered)
  return offered
}

/** One skill in the shape of a tool. */
export function offerSkill(server: string, entry: SkillEntry): OfferedTool {
  const path = pathOfSkill(entry.uri)
  const { description, title } = entry.frontmatter
  const tool = {
    name: `skill:${path}`,
    ...(typeof title === 'string' && { title }),
    description,
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, openWorldHint: false },
    // part of the fingerprint: a decision is about these files and this frontmatter
    skill: entry,
  }
  return { server, name: skillName(server, path), tool, shown: tool, skill: { entry, path } }
}
