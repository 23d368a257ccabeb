/**
 * The maximum number of values in a message. `JSON.parse` cannot be interrupted: 64 MB of empty lists would take
 * it ten seconds.
 */
export const MAX_VALUES = 500_000

/** A shorter text cannot have enough values to matter. */
const SMALL = 256 * 1024

const QUOTE = 0x22
const COMMA = 0x2c
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACE = 0x7b

/** Counts the values of a JSON text while it arrives. */
export interface ValueCounter {
  /** Returns whether there are more than `MAX_VALUES`, about. */
  add(bytes: Uint8Array): boolean
}

export function createValueCounter(): ValueCounter {
  let count = 0
  let isInString = false
  let isEscaped = false
  return {
    add(bytes) {
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]
        if (isEscaped) isEscaped = false
        else if (byte === QUOTE) isInString = !isInString
        else if (isInString) isEscaped = byte === BACKSLASH
        else if (byte === COMMA || byte === BRACKET || byte === BRACE) count++
      }
      return count > MAX_VALUES
    },
  }
}

/** Whether a JSON text has more than `MAX_VALUES`, about. */
export function hasManyValues(text: string): boolean {
  return text.length > SMALL && createValueCounter().add(Buffer.from(text))
}
