/** Whether an entry starts the gateway, which must not become one of its own servers. */
export function isGatewayEntry({ command, args }: Readonly<Record<string, unknown>>): boolean {
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(
    (word): word is string => typeof word === 'string',
  )
  const isPackage = words.some((word) =>
    /(^|[\\/])toolsearch-gateway(@[^\\/]*)?($|[\\/])/.test(word),
  )
  const isProgram = words.some((word) =>
    /(^|[\\/])(toolsearch(\.cmd|\.exe|\.ps1)?|gateway[\\/](dist|src)[\\/](cli|command)[\\/]main\.[jt]s)$/.test(
      word,
    ),
  )
  return isPackage || (isProgram && words.includes('serve'))
}
