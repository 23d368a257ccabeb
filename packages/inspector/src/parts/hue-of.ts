/** How many colours the style sheets have for servers. */
const HUES = 8

/** The number of a server's colour: its place in the configuration, round and round. */
export function hueOf(
  server: string,
  servers: readonly { readonly name: string }[],
): number | undefined {
  const at = servers.findIndex(({ name }) => name === server)
  return at < 0 ? undefined : at % HUES
}
