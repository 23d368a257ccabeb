/**
 * Removes the characters at both ends that match `edge`, which must match one character.
 *
 * A single regular expression would take quadratic time on a long run of `edge` characters.
 */
export function trimEdges(text: string, edge: RegExp): string {
  let from = 0
  let to = text.length
  while (from < to) {
    const character = String.fromCodePoint(text.codePointAt(from)!)
    if (!edge.test(character)) break
    from += character.length
  }
  while (to > from) {
    const isPair = to - from > 1 && text.codePointAt(to - 2)! > 0xffff
    const start = isPair ? to - 2 : to - 1
    if (!edge.test(text.slice(start, to))) break
    to = start
  }
  return text.slice(from, to)
}
