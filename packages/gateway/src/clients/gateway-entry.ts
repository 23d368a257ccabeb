/** The one entry that stands in a client's file for all the servers behind the gateway. */
export function gatewayEntry(file: string): { readonly command: string; readonly args: string[] } {
  return { command: 'npx', args: ['-y', 'toolsearch-gateway', 'serve', '--config', file] }
}

/** Whether an entry starts this gateway, however it is written: a gateway behind itself never ends. */
export function isGatewayEntry({ command, args }: Readonly<Record<string, unknown>>): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(
    (word): word is string => typeof word === 'string',
  )
  const starts = words.some((word) => /(^|[\\/])toolsearch-gateway(@[^\\/]*)?($|[\\/])/.test(word))
  const named = words.some((word) => /(^|[\\/])toolsearch(\.cmd|\.exe|\.ps1)?$/.test(word))
  return starts || (named && words.includes('serve'))
}
