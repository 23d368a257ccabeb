/** Any number of bytes. Spreading them into one call would exceed the argument limit. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Undefined if the text is not base64. */
export function decodeBase64(data: string): Uint8Array | undefined {
  if (!isBase64(data)) return undefined
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
}

/** Whether a text is base64 that every service accepts: standard alphabet, padded, not empty. */
export function isBase64(data: string): boolean {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  // An expression for the whole text could backtrack, which overflows the stack if the text is very long.
  const isPlain = !/[^A-Za-z0-9+/]/.test(data.slice(0, data.length - padding))
  return isPlain && data.length > padding && data.length % 4 === 0
}
