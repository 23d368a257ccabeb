/** Finds known texts in others, in linear time whatever they contain: the automaton of Aho and Corasick. */
export interface TextFinder {
  /** Receives the places of known texts, in the order of their ends. Of several with the same end, the longest first. */
  find(text: string, onFound: OnFound): void
}

/** Returns whether a shorter text with the same end is of interest, too. */
type OnFound = (start: number, end: number) => boolean

const ROOT = 0
/** Random, so that nobody can choose texts that make the table slow. */
const [FACTOR = 1, OTHER = 1] = crypto.getRandomValues(new Int32Array(2)).map((value) => value | 1)

export function createTextFinder(texts: Iterable<string>): TextFinder {
  const known = [...texts]
  const capacity = known.reduce((sum, { length }) => sum + length, 1)
  /** By node. A node is a beginning of a known text. */
  const parents = new Int32Array(capacity)
  const codes = new Uint16Array(capacity)
  const depths = new Int32Array(capacity)
  /** The node of the longest shorter end of this beginning. */
  const ends = new Int32Array(capacity)
  /** Whether the node is a whole text. */
  const isWhole = new Uint8Array(capacity)
  /** The longest whole text that is an end of this beginning. */
  const wholes = new Int32Array(capacity)
  // A hash table of the nodes, by parent and character.
  const bits = 2 + Math.ceil(Math.log2(capacity))
  const table = new Int32Array(1 << bits)
  /** The nodes of most first characters, without a look at the table. */
  const firsts = new Int32Array(128)
  let count = 1

  /** Where the table has the node, or has room for it. */
  function placeOf(parent: number, code: number): number {
    const hash = Math.imul(Math.imul(parent, FACTOR) ^ code, OTHER)
    let place = (hash ^ (hash >>> 15)) & (table.length - 1)
    while (true) {
      const node = table[place]!
      if (node === 0 || (parents[node] === parent && codes[node] === code)) return place
      place = (place + 1) & (table.length - 1)
    }
  }

  /** The node after this character: the longest beginning that the text so far ends with. */
  function next(node: number, code: number): number {
    for (let from = node; from !== ROOT; from = ends[from]!) {
      const found = table[placeOf(from, code)]!
      if (found !== 0) return found
    }
    return code < firsts.length ? firsts[code]! : table[placeOf(ROOT, code)]!
  }

  for (const text of known) {
    let node = ROOT
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      const place = placeOf(node, code)
      if (table[place] === 0) {
        table[place] = count
        parents[count] = node
        codes[count] = code
        depths[count] = at + 1
        if (node === ROOT && code < firsts.length) firsts[code] = count
        count++
      }
      node = table[place]!
    }
    isWhole[node] = 1
  }
  const nodes = Int32Array.from({ length: count - 1 }, (_, at) => at + 1)
  // Shorter ones first, because each refers to a shorter one.
  for (const node of nodes.sort((a, b) => depths[a]! - depths[b]!)) {
    const parent = parents[node]!
    const end = parent === ROOT ? ROOT : next(ends[parent]!, codes[node]!)
    ends[node] = end
    wholes[node] = isWhole[end] ? end : wholes[end]!
  }

  return {
    find(text, onFound) {
      let node = ROOT
      for (let at = 0; at < text.length; at++) {
        node = next(node, text.charCodeAt(at))
        let whole = isWhole[node] ? node : wholes[node]!
        while (whole !== ROOT && onFound(at + 1 - depths[whole]!, at + 1)) whole = wholes[whole]!
      }
    },
  }
}
