import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes the same time for every input, so that the time reveals nothing about the secret. */
export function isSameSecret(sent: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(sent), digest(secret))
}
