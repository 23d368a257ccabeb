/** Number of server colours in the style sheets. */
const HUES = 8

/** The number of a server's colour, by its position in the configuration. */
export function hueOf(
  server: string,
  servers: readonly { readonly name: string }[],
): number | undefined {
  const at = servers.findIndex(({ name }) => name === server)
  return at < 0 ? undefined : at % HUES
}
