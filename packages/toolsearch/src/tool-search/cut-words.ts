/** A longer word, such as a URL, is cut inside. */
const MAX_WORD = 25

/**
 * Shortens a text to one line of at most `length` characters, including an ellipsis. Cuts between
 * two words if it can.
 */
export function cutWords(text: string, length: number): string {
  // A description can be megabytes by mistake.
  const line = text
    .slice(0, 10 * length + 100)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= length) return line.toWellFormed()
  const start = line.slice(0, Math.max(0, length - 1))
  const end = start.lastIndexOf(' ')
  const isWhole = line[start.length] === ' ' || end < 1 || end < start.length - MAX_WORD
  const kept = isWhole ? start : start.slice(0, end)
  // Neither half a surrogate pair nor punctuation that leads nowhere.
  return `${kept.replace(/[\ud800-\udbff]$/, '').replace(/[\s,;:(–-]+$/, '')}…`.toWellFormed()
}
