import { PERSON_VALUE } from '../config/expand-variables.ts'
import type { ServerConfig, ServerConnection } from '../config/gateway-config.ts'

/** The names of the values that each person must provide for a server, in the order of their use. */
export function personValueNames({ connection }: Pick<ServerConfig, 'connection'>): string[] {
  const texts = Object.values(settingsOf(connection))
  const names = texts.flatMap((text) => [...text.matchAll(PERSON_VALUE)].map((match) => match[1]!))
  return [...new Set(names)]
}

/**
 * The configuration with a person's values filled in, or the names of the missing ones. A value is
 * inserted as it is: `${…}` in a value means nothing.
 */
export function withPersonValues(
  config: ServerConfig,
  values: Readonly<Record<string, string | undefined>> = {},
): { readonly config: ServerConfig } | { readonly missing: readonly string[] } {
  const valueFor = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined)
  const names = personValueNames(config)
  const missing = names.filter((name) => !valueFor(name))
  if (missing.length > 0) return { missing }
  if (names.length === 0) return { config }
  const { connection } = config
  const filled = Object.fromEntries(
    Object.entries(settingsOf(connection)).map(([key, text]) => [
      key,
      text.replace(PERSON_VALUE, (_, name: string) => valueFor(name)!),
    ]),
  )
  return {
    config: {
      ...config,
      connection:
        connection.kind === 'stdio'
          ? { ...connection, env: filled }
          : { ...connection, headers: filled },
    },
  }
}

function settingsOf(connection: ServerConnection): Readonly<Record<string, string>> {
  return connection.kind === 'stdio' ? connection.env : connection.headers
}
