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
  if (issuers.length < 2) return
  for (const key of ['groups', 'people'] as const) {
    for (const item of rule.node(key)?.children ?? []) {
      const entry = String(item.value)
      if ([...issuers, KEYS].some((issuer) => entry.startsWith(`${issuer} `))) continue
      const message = `${quote(entry)} does not say which issuer it is about.`
      const fix = `Write the issuer in front of it, such as ${quote(`${issuers[0]} ${entry}`)}, or ${quote(`${KEYS} ${entry}`)} for API keys.`
      reader.report(item, message, fix)
    }
  }
}
