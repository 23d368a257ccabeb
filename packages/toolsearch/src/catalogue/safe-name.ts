import { hashText } from './hash-text.ts'

const HASH_LENGTH = 8

/** A name that every provider accepts. It depends on the name alone. */
export function safeName(name: string): string {
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').replace(/^(?![a-zA-Z_])/, '_')
  const hash = hashText(name).slice(0, HASH_LENGTH)
  return `${readable.slice(0, 63 - HASH_LENGTH)}_${hash}`
}
