const MAX_NAMES = 20

/** Suggests tool names: those that start with the text first, then those that contain it. */
export function suggestNames(
  tools: readonly { readonly name: string }[],
  typed: string,
): readonly string[] {
  const text = typed.toLowerCase()
  const names = tools.map(({ name }) => name)
  const starts = names.filter((name) => name.toLowerCase().startsWith(text))
  const others = names.filter((name) => name.toLowerCase().indexOf(text) > 0)
  return [...starts, ...others].slice(0, MAX_NAMES)
}
