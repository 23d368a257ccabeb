import type { Gateway } from '../offering/gateway.ts'
import { isSkillName } from '../skills/skill-names.ts'

/** Asks the servers for those of the named skills that they do not list. Never rejects. */
export async function fetchSkills(
  { skills }: Pick<Gateway, 'skills'>,
  names: readonly string[],
): Promise<void> {
  for (const name of names.filter(isSkillName)) await skills.fetch(name).catch(() => {})
}
