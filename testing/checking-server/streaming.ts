/** One server-sent event as text. Not all services name their events. */
export function eventText(data: unknown, name?: string): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  return name === undefined ? line : `event: ${name}\n${line}`
}

/** Splits a text into about three pieces, so that clients have to assemble it. */
export function splitText(text: string): string[] {
  const size = Math.max(1, Math.ceil(text.length / 3))
  const pieces: string[] = []
  for (let start = 0; start < text.length; start += size) {
    pieces.push(text.slice(start, start + size))
  }
  return pieces
}
