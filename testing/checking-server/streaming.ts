/** One server-sent event as text; services that do not name their events leave `name` out. */
export function eventText(data: unknown, name?: string): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  return name === undefined ? line : `event: ${name}\n${line}`
}

/** Cuts a text into about three pieces, so that a client has something to put together. */
export function cutInPieces(text: string): string[] {
  const size = Math.max(1, Math.ceil(text.length / 3))
  const pieces: string[] = []
  for (let from = 0; from < text.length; from += size) pieces.push(text.slice(from, from + size))
  return pieces
}
