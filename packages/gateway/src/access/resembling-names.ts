/** A character of a folded name has at most this many before. Spares the folding of long names. */
const MAX_GROWTH = 18
/** What some readers ignore: spaces, everything invisible, and the dot of an i. */
const IGNORED = /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]|\u0307/gu
const PLAIN = /^[!-~]*$/

/** Names in rules, folded. A rule may be compared with every item of a long list. */
const folded = new Map<string, string>()

/**
 * Whether a server that ignores case could read the one for the other: `Project` for `project`.
 *
 * @param name from the configuration
 */
export function isReadAs(key: string, name: string): boolean {
  const wanted = folded.get(name) ?? fold(name)
  folded.set(name, wanted)
  if (PLAIN.test(key)) return key.length === wanted.length && key.toLowerCase() === wanted
  return key.length <= MAX_GROWTH * wanted.length && fold(key) === wanted
}

/** In upper case first, because several small letters share a capital one: i and ı. */
function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKD').replace(IGNORED, '')
}
