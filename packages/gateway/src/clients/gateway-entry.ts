/** The entry of the gateway in a client's file. */
export function gatewayEntry(file: string): { readonly command: string; readonly args: string[] } {
  return { command: 'npx', args: ['-y', 'toolsearch-gateway', 'serve', '--config', file] }
}

/** Whether an entry starts the gateway. The gateway must not become a server of itself. */
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
