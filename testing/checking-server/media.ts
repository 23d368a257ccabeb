/** Whether a text is base64 in the standard alphabet, padded and not empty. */
export function isBase64(data: unknown): boolean {
  if (typeof data !== 'string') return false
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  // An expression for the whole text could backtrack, which overflows the stack if the text is very long.
  const isPlain = !/[^A-Za-z0-9+/]/.test(data.slice(0, data.length - padding))
  return isPlain && data.length > padding && data.length % 4 === 0
}

/** The media type of a `data:` URL with valid base64; undefined for any other text. */
export function typeOfDataUrl(url: string): string | undefined {
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return isBase64(data) ? type : undefined
}
