import { NAME_MARK, RULE_EFFECTS } from '../access/access-rules.ts'
import { matchesPattern, readPattern } from '../access/name-pattern.ts'
import { closestName } from './closest-name.ts'
import { placeOf } from './offer-plan.ts'

/** A setting that does not do what its author meant, or a tool that could not keep its name. */
export interface SetupProblem {
  /**
   * - `unmatched`: the setting is for a tool that does not exist
   * - `ineffective`: the setting is for a tool that is hidden, or another setting rules it out
   * - `override`: the override cannot be applied
   * - `renamed`: the tool would have had the name of another tool
   */
  readonly kind: 'unmatched' | 'ineffective' | 'override' | 'renamed'
  /** The server whose entry has the setting. Absent for settings of the gateway. */
  readonly server?: string
  /** Where the setting is, from the server's entry or from the top of the file. */
  readonly path: readonly (string | number)[]
  /** The name that agents see, if the problem concerns a tool that is offered. */
  readonly tool?: string
  /** The place, the problem and what to do about it, for people. */
  readonly message: string
}

/** `allow` and `deny` outside of access rules are about tools only. */
export function aboutSkills(
  path: SetupProblem['path'],
  text: string,
  server?: string,
): SetupProblem {
  const message = `${placeName(path, server, text)} matches no tool. To hide a skill, use "deny" of a rule in "toolsearch.access".`
  return { kind: 'unmatched', ...(server !== undefined && { server }), path, message }
}

/** A setting that is for a tool that does not exist. */
export function unmatched(
  path: SetupProblem['path'],
  written: string,
  names: readonly string[],
  server?: string,
): SetupProblem {
  const fix = suggestion(written, names, 'Run `toolsearch tools` to list the tools.')
  // The last part of the path of a hint or override is already the name.
  const text = typeof path.at(-1) === 'number' ? written : undefined
  return {
    kind: 'unmatched',
    ...(server !== undefined && { server }),
    path,
    message: `${placeName(path, server, text)} matches no tool. ${fix}`,
  }
}

/** @param otherwise what to do if no name is similar */
export function suggestion(written: string, names: readonly string[], otherwise: string): string {
  const closest = closestRule(written, names)
  return closest === undefined ? otherwise : `Did you mean ${JSON.stringify(closest)}?`
}

/** A rule of the same kind, so that a person who follows the suggestion changes nothing else. */
function closestRule(written: string, names: readonly string[]): string | undefined {
  if (written.includes('*')) {
    const patterns = names.filter((name) => name.includes('*'))
    if (patterns.length > 0) return closestName(written, patterns)
    const lower = written.toLowerCase()
    return names.some((name) => matchesPattern(readPattern(lower), name)) ? lower : undefined
  }
  if (!written.startsWith(NAME_MARK)) return closestName(written, names)
  const tools = names.filter((name) => !RULE_EFFECTS.some((effect) => effect === name))
  const closest = closestName(written.slice(NAME_MARK.length), tools)
  return closest === undefined ? undefined : `${NAME_MARK}${closest}`
}

/** Where a setting is, and its text if there is one: `toolsearch.deny[0] ("x")`. */
export function placeName(path: SetupProblem['path'], server?: string, written?: string): string {
  const parts: string[] = []
  for (const part of path) {
    if (typeof part === 'number') parts.push(`${parts.pop()}[${part}]`)
    else parts.push(part)
  }
  return placeOf(parts, server, written)
}
