/** The entry that starts the gateway, for a client's file. */
export function gatewayEntry(file: string): { readonly command: string; readonly args: string[] } {
  return { command: 'npx', args: ['-y', 'toolsearch-gateway', 'serve', '--config', file] }
}

/** Whether an entry starts the gateway, which must not become one of its own servers. */
export function isGatewayEntry({ command, args }: Readonly<Record<string, unknown>>): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(
    (word): word is string => typeof word === 'string',
  )
  const isPackage = words.some((word) =>
    /(^|[\\/])toolsearch-gateway(@[^\\/]*)?($|[\\/])/.test(word),
  )
  const isProgram = words.some((word) => /(^|[\\/])toolsearch(\.cmd|\.exe|\.ps1)?$/.test(word))
  return isPackage || (isProgram && words.includes('serve'))
}
