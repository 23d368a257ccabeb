/**
 * The maximum number of values in a message. `JSON.parse` cannot be interrupted: 64 MB of empty lists would take
 * it ten seconds.
 */
export const MAX_VALUES = 300_000

/** `JSON.parse` looks up every key: one that the message did not have before takes it as long as many values. */
const NEW_KEY_VALUES = 5
/** Of the table that remembers keys. Far more than a message may have. */
const KEY_BITS = 18

/** A shorter text cannot have enough values to matter. */
const SMALL = 256 * 1024

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACE = 0x7b

/** Random, so that nobody can send keys that look the same to it. */
const HASH_FACTOR = crypto.getRandomValues(new Int32Array(1))[0]! | 1
const HASH_START = 0x811c9dc5

/** Counts the values of a JSON text while it arrives. */
export interface ValueCounter {
  /** Returns whether there are more than the maximum, about. */
  add(bytes: Uint8Array): boolean
}

export function createValueCounter(max: number = MAX_VALUES): ValueCounter {
  let count = 0
  let isInString = false
  let isEscaped = false
  /** Of the last string. */
  let hash = HASH_START
  let keys: Uint8Array | undefined

  /** How many values the last string counts as a key. */
  function keyValues(): number {
    keys ??= new Uint8Array(1 << (KEY_BITS - 3))
    const bit = hash >>> (32 - KEY_BITS)
    const mask = 1 << (bit & 7)
    if (keys[bit >> 3]! & mask) return 0
    keys[bit >> 3]! |= mask
    return NEW_KEY_VALUES
  }

  return {
    add(bytes) {
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]!
        if (isInString) {
          if (isEscaped) isEscaped = false
          else if (byte === QUOTE) isInString = false
          else isEscaped = byte === BACKSLASH
          hash = Math.imul(hash ^ byte, HASH_FACTOR)
        } else if (byte === QUOTE) {
          isInString = true
          hash = HASH_START
        } else if (byte === COLON) count += keyValues()
        else if (byte === COMMA || byte === BRACKET || byte === BRACE) count++
      }
      return count > max
    },
  }
}

/** Whether a JSON text has more values than that, about. */
export function hasManyValues(text: string, max: number): boolean {
  return text.length > SMALL && createValueCounter(max).add(Buffer.from(text))
}
