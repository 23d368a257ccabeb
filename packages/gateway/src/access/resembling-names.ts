/** A character of a folded name has at most this many before. Spares the folding of long names. */
const MAX_GROWTH = 18

/** Whether a server that ignores case could read the one for the other: `Project` for `project`. */
export function isReadAs(key: string, name: string): boolean {
  const folded = fold(name)
  return key.length <= MAX_GROWTH * folded.length && fold(key) === folded
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
