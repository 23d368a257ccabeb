import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes the same time whatever the difference is. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
