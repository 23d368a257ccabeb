import { type ConfigReader, type ObjectReader, quote } from './config-reader.ts'

/** What the ids of API keys and their groups have in place of an issuer. */
const KEYS = 'key'

/**
 * Reports groups and people of a rule that could be those of several issuers: one must not get the rights that
 * are meant for people of another.
 */
export function checkSubjects(
  reader: ConfigReader,
  rule: Pick<ObjectReader<{ groups?: readonly string[]; people?: readonly string[] }>, 'node'>,
  issuers: readonly string[],
): void {
  for (const key of ['groups', 'people'] as const) {
    for (const item of rule.node(key)?.children ?? []) {
      const problem = subjectProblem(String(item.value), issuers)
      if (problem) reader.report(item, problem.message, problem.fix)
    }
  }
}

/** What is wrong with the name of a group or a person that several issuers could mean. */
export function subjectProblem(
  entry: string,
  issuers: readonly string[],
): { readonly message: string; readonly fix: string } | undefined {
  if (issuers.length < 2) return undefined
  if ([...issuers, KEYS].some((issuer) => entry.startsWith(`${issuer} `))) return undefined
  return {
    message: `${quote(entry)} does not say which issuer it is about.`,
    fix: `Write the issuer in front of it, such as ${quote(`${issuers[0]} ${entry}`)}, or ${quote(`${KEYS} ${entry}`)} for API keys.`,
  }
}
