import { hashText } from './hash-text.ts'

const HASH_LENGTH = 8

/** The names that every provider accepts. */
export const ACCEPTED_EVERYWHERE: RegExp = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

/** The name itself if it is accepted, or else its replacement. */
export function acceptedName(name: string, accepts: RegExp = ACCEPTED_EVERYWHERE): string {
  return accepts.test(name) ? name : safeName(name)
}

/** A name that every provider accepts. It depends on the name alone. */
export function safeName(name: string): string {
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').replace(/^(?![a-zA-Z_])/, '_')
  const hash = hashText(name).slice(0, HASH_LENGTH)
  return `${readable.slice(0, 63 - HASH_LENGTH)}_${hash}`
}
