const MOST = 20

/** Names that a person may be typing: those that begin so first, then those that contain it. */
export function suggestNames(
  tools: readonly { readonly name: string }[],
  typed: string,
): readonly string[] {
  const wanted = typed.toLowerCase()
  const names = tools.map(({ name }) => name)
  const starts = names.filter((name) => name.toLowerCase().startsWith(wanted))
  const others = names.filter((name) => name.toLowerCase().indexOf(wanted) > 0)
  return [...starts, ...others].slice(0, MOST)
}
