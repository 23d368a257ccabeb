import type { Node } from 'jsonc-parser'
import { closestKey } from './closest-key.ts'
import { type ConfigReader, type Entry, type Place, quote } from './config-reader.ts'
import { readPins } from './read-pins.ts'
import { readAccess } from './read-server.ts'
import { PROFILE_NAME, PROFILE_RULES } from './rules/access-config-rules.ts'
import type { ProfileConfig } from './team-config.ts'
import { withoutMissing } from './without-missing.ts'

/** Reads the profiles by name. Reports servers that are not in the file. */
export function readProfiles(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
  servers: ReadonlySet<string>,
): Record<string, ProfileConfig> {
  const profiles = reader
    .entries(node, place.label)
    .map((entry) => [entry.key, readProfile(reader, entry, servers)] as const)
  return Object.fromEntries(profiles)
}

function readProfile(
  reader: ConfigReader,
  { key: name, keyNode, value }: Entry,
  servers: ReadonlySet<string>,
): ProfileConfig {
  const label = `profile ${quote(name)}`
  const profile = reader.object(
    value,
    { label, name: (path) => `"${path}" of ${label}` },
    PROFILE_RULES,
  )
  if (!PROFILE_NAME.test(name)) {
    const fix = 'Use up to 64 letters, digits, ".", "_", "~" and "-": it is part of an address.'
    reader.report(keyNode, `${quote(name)} is not a valid name of a profile.`, fix)
  }
  const included = profile.get('servers')
  for (const item of profile.node('servers')?.children ?? []) {
    if (typeof item.value !== 'string' || item.value.trim() === '' || servers.has(item.value))
      continue
    const closest = closestKey(item.value, servers)
    const fix = closest ? `Did you mean "${closest}"?` : 'Write the name of a server in this file.'
    reader.report(item, `${label} contains the unknown server ${quote(item.value)}.`, fix)
  }
  const known = included ? new Set(included.filter((server) => servers.has(server))) : servers
  return withoutMissing<ProfileConfig>({
    ...readAccess(profile),
    allow: profile.get('allow'),
    description: profile.get('description'),
    servers: included,
    mode: profile.get('mode'),
    pins: profile.has('pins') ? readPins(reader, profile, known) : undefined,
    instructions: profile.get('instructions'),
  })
}
