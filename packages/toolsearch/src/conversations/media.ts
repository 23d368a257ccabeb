import { isObject } from '../is-object.ts'
import type { MediaPart, OutputPart } from '../outputs/output-part.ts'

const BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
}

/** Reads a URL, which may contain the data. `fallback` is the type if the URL does not tell it. */
export function mediaFromUrl(url: string, fallback: string, filename?: unknown): MediaPart {
  const [, mimeType = '', data] = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(url) ?? []
  const named = typeof filename === 'string' && filename !== '' ? { filename } : {}
  if (data !== undefined) return mediaFromData(data, mimeType || fallback, filename)
  const extension = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''
  const guessed = BY_EXTENSION[extension] ?? fallback
  return { type: kindOf(guessed), url, mimeType: guessed, ...named }
}

export function mediaFromData(data: string, mimeType: string, filename?: unknown): MediaPart {
  const named = typeof filename === 'string' && filename !== '' ? { filename } : {}
  return { type: kindOf(mimeType), data, mimeType, ...named }
}

export function urlOf({ data, url, mimeType }: MediaPart): string {
  return url ?? `data:${mimeType};base64,${data ?? ''}`
}

export function isMedia(part: { readonly type: string }): part is MediaPart {
  return part.type === 'image' || part.type === 'audio' || part.type === 'file'
}

/** The text of a result, without its media. */
export function resultText(parts: readonly OutputPart[]): string {
  return parts.flatMap((part) => textOf(part) ?? []).join('\n\n')
}

/** The text of a part that is not media. */
export function textOf(part: OutputPart): string | undefined {
  if (part.type === 'text' || part.type === 'resource') return part.text
  if (part.type === 'link') return part.uri
  return part.type === 'native' ? JSON.stringify(part.block) : undefined
}

function kindOf(mimeType: string): MediaPart['type'] {
  if (mimeType.startsWith('image/')) return 'image'
  return mimeType.startsWith('audio/') ? 'audio' : 'file'
}

/** The objects in a list of parts. A string counts as one text. */
export function partsOf(content: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}
