/** Whether a text is base64 in the standard alphabet, padded and not empty. */
export function isBase64(data: unknown): boolean {
  return (
    typeof data === 'string' &&
    data.length > 0 &&
    data.length % 4 === 0 &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(data)
  )
}

/** The media type of a `data:` URL with valid base64; undefined for any other text. */
export function typeOfDataUrl(url: string): string | undefined {
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return isBase64(data) ? type : undefined
}
