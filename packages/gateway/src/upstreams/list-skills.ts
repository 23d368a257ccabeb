import { isObject, type JsonObject, textOf } from '../protocol/json-object.ts'
import { listPages } from '../protocol/list-pages.ts'
import { readSkillEntry, SKILLS_EXTENSION, type SkillEntry } from '../skills/skill-entry.ts'
import type { RefusedTool } from './upstream.ts'

export interface SkillList {
  readonly skills: readonly SkillEntry[]
  readonly refused: readonly RefusedTool[]
  /** When the list should be read again, in milliseconds from now, if the server says so. */
  readonly ttlMs?: number
}

/** Whether a server declares that it has skills. */
export function hasSkills({ extensions }: JsonObject): boolean {
  return isObject(extensions) && extensions[SKILLS_EXTENSION] !== undefined
}

/**
 * Reads every page of a server's skills and leaves out those that cannot be offered. Rejects only if
 * the first page fails.
 *
 * @param page requests `skills/list` with these params
 */
export async function listSkills(
  page: (params: JsonObject) => Promise<JsonObject>,
): Promise<SkillList> {
  const skills = new Map<string, SkillEntry>()
  const refused: RefusedTool[] = []
  let ttlMs: number | undefined
  const request = async (params: JsonObject) => {
    const answer = await page(params)
    const { ttlMs: given } = answer
    if (typeof given === 'number' && given >= 0) ttlMs = Math.min(given, ttlMs ?? given)
    return answer
  }
  const warning = await listPages('skills', request, (entry, problem) => {
    if (problem) return refuse(entry, `It is ${problem}.`)
    const read = readSkillEntry(entry)
    if ('problem' in read) refuse(entry, read.problem)
    else if (skills.has(read.uri)) refuse(entry, 'It is listed more than once.')
    else skills.set(read.uri, read)
  })
  if (warning) refused.push({ tool: 'skills', reason: warning, isSkill: true })
  return { skills: [...skills.values()], refused, ...(ttlMs !== undefined && { ttlMs }) }

  function refuse(entry: unknown, reason: string): void {
    const { uri = '(no uri)' } = isObject(entry) ? entry : {}
    refused.push({ tool: `skill ${textOf(uri).slice(0, 200)}`, reason, isSkill: true })
  }
}
