import type { MediaPart, NativeBlock, ResourcePart } from './output-part.ts'

export interface MediaSource {
  /** Base64, a `data:` URL or bytes. */
  readonly data?: unknown
  readonly url?: string
  /** @default what the data or the address says */
  readonly mimeType?: string | undefined
  readonly filename?: string | undefined
  /** The block it comes from. */
  readonly native?: NativeBlock
  /** The kind of media to assume if the type says nothing. */
  readonly kind: MediaPart['type']
}

const DATA_URL = /^data:([^;,]*)[^,]*?(;base64)?,/i
const TEXTUAL = /^(text\/.*|.*[+/](json|xml|yaml|javascript))$/

/** A part with media, or with text if the bytes are text. Undefined if there are no bytes. */
export function readMedia(source: MediaSource): MediaPart | ResourcePart | undefined {
  const { filename, native, kind } = source
  const name = filename !== undefined && { filename }
  const address = source.url !== undefined && DATA_URL.test(source.url) ? undefined : source.url
  if (address !== undefined) {
    const mimeType = source.mimeType ?? (kind === 'file' ? 'application/octet-stream' : `${kind}/*`)
    return {
      type: kindOf(mimeType, kind),
      url: address,
      mimeType,
      ...name,
      ...(native && { native }),
    }
  }
  const read = readData(source.data ?? source.url, source.mimeType)
  if (read === undefined) return undefined
  const { data, mimeType = 'application/octet-stream', isUnchanged } = read
  const kept = native && isUnchanged && { native }
  const text = TEXTUAL.test(mimeType) ? decodeText(data) : undefined
  if (text !== undefined) return { type: 'resource', uri: filename ?? '', text, mimeType, ...kept }
  return { type: kindOf(mimeType, kind), data, mimeType, ...name, ...kept }
}

/** Whether a text is base64 that every service accepts: standard alphabet, padded, not empty. */
export function isBase64(data: string): boolean {
  return data.length > 0 && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}

interface ReadData {
  readonly data: string
  readonly mimeType?: string | undefined
  /** Whether the block that has the data can be sent as it is. */
  readonly isUnchanged: boolean
}

function readData(value: unknown, mimeType: string | undefined): ReadData | undefined {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value
  if (bytes instanceof Uint8Array) {
    let binary = ''
    for (const byte of bytes) binary += String.fromCharCode(byte)
    return { data: btoa(binary), mimeType, isUnchanged: false }
  }
  if (typeof value !== 'string') return undefined
  const [prefix = '', type, isBase64Url] = DATA_URL.exec(value) ?? []
  const content = value.slice(prefix.length)
  const found = mimeType ?? (type || undefined)
  if (prefix !== '' && isBase64Url === undefined) {
    const text = new TextEncoder().encode(decodeURIComponent(content))
    return readData(text, found ?? 'text/plain')
  }
  // Many libraries wrap lines, use the URL-safe alphabet or leave out the padding.
  const plain = content.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  const data = plain.endsWith('=') ? plain : plain.padEnd(Math.ceil(plain.length / 4) * 4, '=')
  return { data, mimeType: found, isUnchanged: data === content }
}

function kindOf(mimeType: string, fallback: MediaPart['type']): MediaPart['type'] {
  if (mimeType.startsWith('image/')) return 'image'
  if (mimeType.startsWith('audio/')) return 'audio'
  return mimeType === 'application/octet-stream' ? fallback : 'file'
}

function decodeText(data: string): string | undefined {
  if (!isBase64(data)) return undefined
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
