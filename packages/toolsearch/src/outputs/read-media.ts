import { decodeBase64, encodeBase64 } from './base64.ts'
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

const TEXTUAL = /^(text\/.*|.*[+/](json|xml|yaml|javascript))$/

/** A part with media, or with text if the bytes are text. Undefined if there are no bytes. */
export function readMedia(source: MediaSource): MediaPart | ResourcePart | undefined {
  const { filename, native, kind } = source
  const name = filename !== undefined && { filename }
  if (source.url !== undefined && splitDataUrl(source.url) === undefined) {
    const mimeType = source.mimeType ?? (kind === 'file' ? 'application/octet-stream' : `${kind}/*`)
    return {
      type: kindOf(mimeType, kind),
      url: source.url,
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

interface ReadData {
  readonly data: string
  readonly mimeType?: string | undefined
  /** Whether the block that has the data can be sent as it is. */
  readonly isUnchanged: boolean
}

function readData(value: unknown, mimeType: string | undefined): ReadData | undefined {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value
  if (bytes instanceof Uint8Array)
    return { data: encodeBase64(bytes), mimeType, isUnchanged: false }
  if (typeof value !== 'string') return undefined
  const url = splitDataUrl(value)
  const content = url?.content ?? value
  const found = mimeType ?? url?.mimeType
  if (url?.isBase64 === false) {
    return readData(new TextEncoder().encode(unescapeText(content)), found ?? 'text/plain')
  }
  // Many libraries wrap lines, use the URL-safe alphabet or leave out the padding.
  const plain = content.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  const data = plain.endsWith('=') ? plain : plain.padEnd(Math.ceil(plain.length / 4) * 4, '=')
  return { data, mimeType: found, isUnchanged: data === content }
}

interface DataUrl {
  readonly mimeType: string | undefined
  readonly isBase64: boolean
  readonly content: string
}

function splitDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',')
  if (comma < 0 || url.slice(0, 'data:'.length).toLowerCase() !== 'data:') return undefined
  const [mimeType, ...parameters] = url.slice('data:'.length, comma).split(';')
  return {
    mimeType: mimeType || undefined,
    isBase64: parameters.at(-1)?.toLowerCase() === 'base64',
    content: url.slice(comma + 1),
  }
}

function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // a percent sign that is not part of an escape sequence
    return text
  }
}

function kindOf(mimeType: string, fallback: MediaPart['type']): MediaPart['type'] {
  if (mimeType.startsWith('image/')) return 'image'
  if (mimeType.startsWith('audio/')) return 'audio'
  return mimeType === 'application/octet-stream' ? fallback : 'file'
}

function decodeText(data: string): string | undefined {
  const bytes = decodeBase64(data)
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
