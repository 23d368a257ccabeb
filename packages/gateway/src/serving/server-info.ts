/** What the gateway says of itself. */
export function serverInfo(version: string): { name: string; title: string; version: string } {
  return { name: 'toolsearch', title: 'toolsearch', version }
}
