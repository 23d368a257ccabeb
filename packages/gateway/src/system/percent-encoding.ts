/** A text without percent-encoding. Undefined if the encoding is invalid. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Enough for every server that decodes what another program has already decoded. */
const MAX_ROUNDS = 8
const ESCAPES = /(?:%[\da-f]{2})+/gi

/**
 * A text as it is, and in each way in which a program may read its percent-encoding: decoded once, twice and so
 * on. Escapes that are not valid stay as they are, and keep nobody from decoding the others.
 */
export function percentDecodings(text: string): readonly string[] {
  const found = [text]
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const decoded = decodeOnce(found.at(-1)!)
    if (decoded === found.at(-1)) break
    found.push(decoded)
  }
  return found
}

function decodeOnce(text: string): string {
  return text.replace(ESCAPES, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex')
    const decoded = bytes.toString('utf8')
    // Bytes that are not UTF-8 could mean anything. Those of ASCII mean the same everywhere.
    return decoded.includes('\ufffd') ? escapes.replace(/%[0-7][\da-f]/gi, ascii) : decoded
  })
}

function ascii(code: string): string {
  return String.fromCharCode(Number.parseInt(code.slice(1), 16))
}
