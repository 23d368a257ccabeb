import type { MediaPart, OutputPart } from './output-part.ts'

/** All parts as one text that a person or a model can read. Media are named, not included. */
export function partsText(parts: readonly OutputPart[]): string {
  return parts.map(partText).join('\n')
}

export function partText(part: OutputPart): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'resource':
      return part.uri === '' ? part.text : `${part.uri}:\n${part.text}`
    case 'link':
      return [part.name, part.uri, part.description].filter(Boolean).join(' · ')
    case 'native':
      return `[${part.block.type ?? 'block'}]`
    default:
      return `[${describeMedia(part)}]`
  }
}

/** A short description of media: `image photo.png (image/png, 30 kB)`. */
export function describeMedia({ type, data, url, mimeType, filename }: MediaPart): string {
  const name = filename ?? url
  const size = data === undefined ? '' : `, ${sizeText(byteCount(data))}`
  return `${type}${name === undefined ? '' : ` ${name}`} (${mimeType}${size})`
}

function byteCount(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.floor(data.length * 0.75) - padding
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
