/** One server-sent event as text; services that do not name their events leave `name` out. */
export function eventText(data: unknown, name?: string): string {
  const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
  return name === undefined ? line : `event: ${name}\n${line}`
}
